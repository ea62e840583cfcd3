"""Puts given.py and questions.py of each assignment into the wheel: no notebook, no solution, no planted answer."""

from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class AssignmentsHook(BuildHookInterface):
    """The assignments lie beside the packages in a clone, and within the unpacked archive of sources."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the files under the name that they have in the wheel, or in the archive of sources."""
        root = Path(self.root)
        folder = next(path for path in (root / "exercises", root.parent.parent / "exercises") if path.is_dir())
        target = "coursework/exercises" if self.target_name == "wheel" else "exercises"
        if version == "editable":
            return
        for path in sorted(folder.glob("*/*.py")):
            if path.name in ("given.py", "questions.py"):
                build_data["force_include"][str(path)] = f"{target}/{path.parent.name}/{path.name}"
