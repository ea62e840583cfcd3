"""How learning platforms name what they let a teacher download: whose a path is, and when it was handed in.

One record a platform.  A path that fits none follows the rule of `identity.student_of`.  Where a download names people alone, two of
one name would become one student: `person` tells them apart, as far as the platform does.
"""

import re
from dataclasses import dataclass
from datetime import datetime, tzinfo

from coursework.grading.dates import MONTHS


@dataclass(frozen=True)
class Layout:
    """Paths of a platform: a pattern of their first part, or of several, with the groups student, perhaps person and time.

    clock: how `time` is written, for strptime, in the zone of the course.
    """

    platform: str
    pattern: re.Pattern
    clock: str = ""


@dataclass(frozen=True)
class Named:
    """What a path says: the student's id or name, what tells people of one name apart ("" if nothing), when ("" if not)."""

    platform: str
    student: str
    person: str = ""
    time: str = ""
    clock: str = ""

    def when(self, zone: tzinfo) -> datetime | None:
        """Return the time that stands in the path, in the zone of the course; None where none does."""
        try:
            return datetime.strptime(self.time, self.clock).replace(tzinfo=zone) if self.time else None
        except ValueError:  # a day that the calendar has not
            return None


_MONTH = "|".join(month[:3] for month in MONTHS)
LAYOUTS = (
    Layout(
        "Blackboard",  # Assignment name_username_attempt_2026-11-18-10-00-00_file
        re.compile(r"(?P<person>.*?_?(?P<student>[^_/]+))_attempt_(?P<time>\d{4}(?:-\d\d){5})(?:[_./]|$)"),
        "%Y-%m-%d-%H-%M-%S",
    ),
    Layout("Canvas", re.compile(r"anon_(?:LATE_)?(?P<student>[A-Za-z0-9]+)_\d+_")),  # graded without names
    Layout("Canvas", re.compile(r"[^_/]+_(?:LATE_)?(?P<student>\d+)_\d+_")),  # lovelaceada_LATE_88001_990001_file
    Layout(
        "Moodle",  # Ada Lovelace_12_assignsubmission_file_/file
        re.compile(r"(?P<student>[^_/]+)_(?P<person>\d+)_assign(?:submission|feedback)_[a-z]+_"),
    ),
    Layout("Gradescope", re.compile(r"(?:[^/]*_export/)?(?P<student>submission_\d+)(?:/|$)")),
    Layout(
        "Brightspace",  # 12345-67890 - Ada Lovelace - Nov 30, 2026 1159 PM/file
        re.compile(
            rf"\d+-\d+ ?- ?(?P<student>[^/]+?) ?- ?(?P<time>(?:{_MONTH})[a-z]* \d{{1,2}}, \d{{4}} \d{{3,4}} [AP]M)(?: - |/|$)",
            re.I,
        ),
        "%b %d, %Y %I%M %p",
    ),
)


def named_by_platform(path: str) -> Named | None:
    """Return what a platform's path says, None for one that no platform writes."""
    for layout in LAYOUTS:
        if match := layout.pattern.match(path):
            found = match.groupdict()
            time = found.get("time") or ""
            if layout.platform == "Brightspace":  # 959 PM is 0959 PM
                time = re.sub(r" (\d{3}) ", r" 0\1 ", time)
            return Named(layout.platform, found["student"].strip(), found.get("person") or "", time, layout.clock)
    return None
