"""What a site and a teacher have set in nbgrader: settings of the course's own, and where the exchange is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursework.grading.course import Course

OWN = "own_config.py"  # beside nbgrader_config.py, never written by us


def exchange(course: Course) -> str:
    """Return nbgrader's exchange folder, as this machine and the course set it."""
    from nbgrader.apps.baseapp import NbGrader
    from nbgrader.exchange.default import Exchange

    app = NbGrader(log_level=50)  # no word on settings that are not there
    app.load_cwd_config = False  # anybody may have laid a program of that name there
    app.load_config_file()
    settings = app.config
    settings.merge(own(course))
    return str(Exchange(config=settings).root)


def own(course: Course) -> Any:
    """Return the teacher's own settings of nbgrader, such as those of late penalties; code beside them is found."""
    from traitlets.config import Config, ConfigFileNotFound, PyFileConfigLoader

    try:
        found = PyFileConfigLoader(OWN, path=str(course.nbgrader)).load_config()
    except ConfigFileNotFound:
        return Config()
    except Exception as error:
        raise ValueError(f"{course.nbgrader / OWN} cannot be read: {type(error).__name__}: {error}") from None
    if str(course.nbgrader) not in sys.path:
        sys.path.append(str(course.nbgrader))
    return found
