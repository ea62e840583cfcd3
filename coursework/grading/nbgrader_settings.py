"""nbgrader as a course sets it:  its own settings, the teacher's beside them, its interface, its exchange folder."""

import sys
from pathlib import Path

from coursework.grading.folders import write

OWN = "own_config.py"  # beside nbgrader_config.py, never written by us


def api(course):
    """Return nbgrader's API for the course."""
    import os

    from nbgrader.apps.api import NbGraderAPI

    here = str(Path(sys.executable).parent)
    if here not in os.environ.get("PATH", "").split(os.pathsep):  # nbgrader calls alembic by name
        os.environ["PATH"] = here + os.pathsep + os.environ.get("PATH", "")
    return NbGraderAPI(config=config(course))


def config(course):
    """Return nbgrader's configuration for the course, the same that formgrader reads from nbgrader_config.py."""
    from traitlets.config import Config

    settings = Config()
    settings.CourseDirectory.root = str(course.nbgrader)
    settings.CourseDirectory.db_url = course.db
    settings.CourseDirectory.course_id = "default_course"  # PostgreSQL wants a course that exists
    settings.Application.log_level = "WARNING"
    write(
        course.nbgrader / "nbgrader_config.py",
        f'"""Written by coursework.grading: lets nbgrader and its formgrader open this course."""\n\n'
        f"c = get_config()\nc.CourseDirectory.root = {str(course.nbgrader)!r}\n"
        f"c.CourseDirectory.db_url = {course.db!r}\nc.CourseDirectory.course_id = 'default_course'\n"
        f"load_subconfig({OWN!r})  # the teacher's own settings, if there are any\n".encode(),
    )
    settings.merge(own(course))
    return settings


def exchange(course):
    """Return nbgrader's exchange folder, as this machine and the course set it."""
    from nbgrader.apps.baseapp import NbGrader
    from nbgrader.exchange.default import Exchange

    app = NbGrader(log_level=50)  # no word on settings that are not there
    app.load_config_file()
    settings = app.config
    settings.merge(own(course))
    return str(Exchange(config=settings).root)


def own(course):
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
