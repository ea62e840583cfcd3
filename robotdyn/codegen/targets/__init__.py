"""One file a target: what prints a program, the words it keeps for itself, and how its code runs.

Files: target, python, numpy, llvm, javascript, c.  `register` adds another one.
"""

from __future__ import annotations

from robotdyn.codegen.targets import c, javascript, llvm, numpy, python
from robotdyn.codegen.targets.target import Kernels, Target

__all__ = ["TARGETS", "Kernels", "Target", "register"]

# where: add a target language
# a file in `robotdyn/codegen/targets/` with a `Target`, registered here
TARGETS: dict[str, Target] = {}


def register(target: Target) -> None:
    """Let `rd.specialize` print programs for a target; one of the same name gives way."""
    TARGETS[target.name] = target


for _target in (python.TARGET, numpy.TARGET, llvm.TARGET, javascript.TARGET, *c.TARGETS):
    register(_target)
