"""Reads the times that teachers type and platforms write: one reading or none, never a guess between two.

A time is ISO 8601, `2026-11-30 23:59`, or has its month in letters, `30 November 2026, 23:59` and `Nov 30, 2026 11:59 PM`; after it
may stand a zone: `UTC`, `Z`, `+01:00`, `UTC+1` (one hour east of Greenwich) or a name such as `Europe/Berlin`.  Without one the
zone of the course holds.  `11.12.2026` and `07/12/2026` are refused with what they may mean.
"""

import re
import unicodedata
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones

from coursework.grading.settings import SETTINGS, settings

EXAMPLES = "'2026-11-30 23:59 Europe/Berlin', '2026-11-30 23:59+01:00' or '30 November 2026 23:59 UTC'"
MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
YEARS = range(1990, 2101)
ISO = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})[T ,]+(.+)")  # the year first: no other reading
WRITTEN = re.compile(
    r"(?:([a-z]+)\.?,? )?(?:(\d{1,2})(?:st|[nr]d|th)?\.? ([a-z]+)\.?|([a-z]+)\.? (\d{1,2})(?:st|[nr]d|th)?),? (\d{4}),?(?: at)? (.+)",
    re.I,
)
NUMERIC = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4})\b")
CLOCK = re.compile(r"(\d{1,2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(?: ?([ap])\.?m\b\.?)?\s*(.*)", re.I)
GERMAN = {"jänner": 1, "januar": 1, "feber": 2, "februar": 2, "märz": 3, "maerz": 3, "mär": 3, "mrz": 3, "mai": 5, "juni": 6, "juli": 7,
          "oktober": 10, "okt": 10, "dezember": 12, "dez": 12}  # fmt: skip
DUTCH = {"januari": 1, "februari": 2, "maart": 3, "mrt": 3, "mei": 5, "augustus": 8}  # others as in English or German
ROMANCE = (  # months in French, Spanish, Italian, Portuguese, whole and as they are shortened; none of these words is two months
    "janvier janv enero ene gennaio gen janeiro",
    "février fevrier févr fevr fév fev febrero febbraio fevereiro",
    "mars marzo março marco",
    "avril avr abril abr aprile",
    "mai mayo maggio mag maio",
    "juin junio giugno giu junho",
    "juillet juil julio luglio lug julho",
    "août aout aoû agosto ago",
    "septembre septiembre setembro settembre set",
    "octobre octubre outubro ottobre out ott",
    "novembre noviembre novembro",
    "décembre decembre déc dec diciembre dicembre dezembro dic dez",
)
SHORT = (
    {word: number + 1 for number, month in enumerate(MONTHS) for word in (month, month[:3])}
    | {"sept": 9}
    | GERMAN
    | DUTCH
)
SHORT |= {word: number for number, words in enumerate(ROMANCE, 1) for word in words.split()}
STAMPED = re.compile(r"\d{4}(?:-\d\d){5}")  # as Blackboard does
SAKAIS = re.compile(r"\d{17}")  # in UTC, with thousandths of a second
TITLED = re.compile(  # as Brightspace does: Nov 30, 2026 1159 PM, or 30. November 2026 23:59
    r"(?:([^\W\d]+)\.? (\d{1,2}),?|(\d{1,2})\.?(?: de)? ([^\W\d]+)\.?,?)(?: del?)? (\d{4}),?(?: at| um)? (\d{1,2})[:.]?(\d\d)(?: ?([ap])\.?m\.?)?(?: uhr)?",
    re.I,
)
OFFSET = re.compile(r"(?:UTC|GMT)?\s*([+-])(\d{1,2})(?::?(\d{2}))?", re.I)


def zone_named(name: str) -> tzinfo:
    """Return a time zone: UTC, Z, GMT, an offset such as +01:00 or UTC+1, or a name of the IANA such as Europe/Berlin.

    Raises ValueError for others, abbreviations such as CET among them, which are not one zone the year round.
    """
    if name.upper() in ("UTC", "Z", "GMT"):
        return UTC
    if match := OFFSET.fullmatch(name):
        sign, hours, minutes = match.groups()
        offset = timedelta(hours=int(hours), minutes=int(minutes or 0))
        # where people live; 10:00-12:00 is a span of time
        east = timedelta(hours=14)
        west = timedelta(hours=11)
        if offset > (west if sign == "-" else east) or int(minutes or 0) > 59:
            raise ValueError(f"no zone is {name} from Greenwich")
        return timezone(-offset if sign == "-" else offset)
    if "/" in name and name in available_timezones():
        return ZoneInfo(name)
    raise ValueError(f"the time zone {name!r} is not known: write a name such as Europe/Berlin, or +01:00")


def course_zone(folder: Path) -> tzinfo:
    """Return the zone of a course: `zone = "Europe/Berlin"` in its course.toml, UTC where that says nothing.

    Raises ValueError with a sentence for a file or a zone that cannot be read.
    """
    file = folder / SETTINGS
    try:
        zone = settings(folder).get("zone", "UTC")
        if not isinstance(zone, str):
            raise ValueError(f"the zone is a text in quotation marks, not {zone!r}")
        return zone_named(zone)
    except ValueError as error:  # of the file and of the zone
        raise ValueError(f'{file} must hold a line such as zone = "Europe/Berlin", got: {error}') from None


# where: read another way to write a date
# due dates, extensions and the times of platforms all pass here
def read_time(words: str, zone: tzinfo = UTC, option: str = "the time") -> datetime:
    """Return the time that some words say, with its zone; zone: of words that name none.

    Raises ValueError, with what was given and how to write it, for words that are no time, may be two, or lack day, month, year or
    clock; also for a time that a change of clocks leaves out or has twice.
    """
    try:
        return _read(" ".join(words.split()), zone)
    except (ValueError, OverflowError) as error:
        shown = words if len(words) <= 80 else f"{words[:80]}.."
        raise ValueError(f"{option} must be a time such as {EXAMPLES}, got {shown!r}: {error}") from None


def read_stamp(words: str, zone: tzinfo = UTC) -> tuple[datetime, str]:
    """Return the time of a timestamp.txt, and its zone where that is none that is known: then the time counts as UTC, as in nbgrader.

    A short name such as CET, which nbgrader writes of the zone in its settings, is known where the zone of the course has it then.
    Raises ValueError for what is no time.
    """
    words = " ".join(words.split())
    try:
        return read_time(words), ""
    except ValueError as error:
        time, _, short = words.rpartition(" ")
        try:
            found = read_time(time)
        except ValueError:
            raise error from None
        if not short.isalpha():
            raise
        for fold in (0, 1):  # of an hour that comes twice the name tells which
            if (local := found.replace(tzinfo=zone, fold=fold)).tzname() == short:
                return local, ""
        return found, short


def read_platform_time(words: str, zone: tzinfo) -> tuple[datetime, str]:
    """Return the time that a platform writes into a name, in a zone, and what is to be told of it: that clocks changed in that hour.

    Raises ValueError, with the reason, for what is no time, or a month in a language that is not read.
    """
    words = unicodedata.normalize("NFC", " ".join(words.split()))
    words = re.sub(r"^[^\W\d]+day, ", "", words)  # as Moodle does: Friday, 27 November 2026, 10:00 AM
    if SAKAIS.fullmatch(words):
        found = datetime.strptime(words[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
    elif ISO.fullmatch(words):
        found = _read(words, zone)
    elif STAMPED.fullmatch(words):
        found = datetime.strptime(words, "%Y-%m-%d-%H-%M-%S").replace(tzinfo=zone)
    elif match := TITLED.fullmatch(words):
        month_before, day_behind, day_before, month_behind, year, hour, minute, half = match.groups()
        month = SHORT.get((month_before or month_behind).lower())
        if month is None:
            raise ValueError(
                f"{month_before or month_behind} is no month in the languages that are read: Dutch, English, French, German, Italian, Portuguese, Spanish"
            )
        if half and int(hour) not in range(1, 13):
            raise ValueError(f"{hour}:{minute} {half}m is no time of day")
        hours = int(hour) % 12 + (12 if half.lower() == "p" else 0) if half else int(hour)
        found = datetime(int(year), month, int(day_behind or day_before), hours, int(minute), tzinfo=zone)
    else:
        raise ValueError("it needs a day, a month in letters, a year and a time of day")
    if found.year not in YEARS:
        raise ValueError(f"the year is one from {YEARS[0]} to {YEARS[-1]}, not {found.year}")
    kind = _change_of_clocks(found)
    taken = (
        "the first is taken" if kind == "comes twice" else f"{found.astimezone(UTC).astimezone(zone):%H:%M} is taken"
    )
    return found, f"{found:%H:%M} {kind} in {zone} on that day, {taken}" if kind else ""


def _read(words: str, zone: tzinfo) -> datetime:
    if match := ISO.fullmatch(words):
        year, _, month, day, rest = match.groups()
        return _at_clock(int(year), int(month), int(day), rest, zone)
    if match := WRITTEN.fullmatch(words):
        weekday, day_before, month_behind, month_before, day_behind, year, rest = match.groups()
        month = _month(month_behind or month_before)
        found = _at_clock(int(year), month, int(day_before or day_behind), rest, zone)
        if weekday and _name(weekday, DAYS, "day of the week") != found.weekday():
            raise ValueError(f"that day is a {DAYS[found.weekday()].capitalize()}, not a {weekday}")
        return found
    if match := NUMERIC.search(words):
        a, b, year = map(int, match.groups())
        readings = [
            f"{day} {MONTHS[month - 1].capitalize()} {year}"
            for day, month in dict.fromkeys(((a, b), (b, a)))
            if month in range(1, 13)
        ]
        if len(readings) == 1:
            raise ValueError(
                f"{match[0]} is no form that is read, since others may be two days: write {readings[0]}, the month in letters"
            )
        raise ValueError(f"{match[0]} may be {' or '.join(readings) or 'no day'}; write the year first, {year}-MM-DD")
    raise ValueError("it needs a year, a month, a day and a time of day, the year first or the month in letters")


def _month(word: str) -> int:
    """Return the number of a month by its name, or by three letters of it or more."""
    return _name(word, MONTHS, "month") + 1


def _name(word: str, names: Sequence[str], kind: str) -> int:
    """Return the place of a name that is written whole or by three letters or more."""
    found = [k for k, name in enumerate(names) if len(word) >= 3 and name.startswith(word.lower())]
    if len(found) != 1:
        raise ValueError(f"{word} is no {kind} in English")
    return found[0]


def _at_clock(year: int, month: int, day: int, rest: str, zone: tzinfo) -> datetime:
    match = CLOCK.fullmatch(rest)
    if match is None:
        raise ValueError(f"{rest} is no time of day: write 23:59")
    hour, minute, second, half, name = match.groups()
    hours = int(hour)
    if year not in YEARS:
        raise ValueError(f"the year is one from {YEARS[0]} to {YEARS[-1]}, not {year}")
    if hours == 24:
        raise ValueError("a day ends at 23:59; write that, or 00:00 of the next day")
    if half:
        if hours not in range(1, 13):
            raise ValueError(f"{hour}:{minute} {half}m is no time of day")
        hours = hours % 12 + (12 if half.lower() == "p" else 0)
    found = datetime(year, month, day, hours, int(minute), int(second or 0), tzinfo=zone_named(name) if name else zone)
    _check_exists(found)
    found.astimezone(UTC)  # beyond the calendar: an OverflowError is none of ours
    return found


def _change_of_clocks(time: datetime) -> str:
    """Return whether a time, in the night in which clocks change, "comes twice" or "is left out"; "" for all others."""
    first, second = (time.replace(fold=fold).utcoffset() for fold in (0, 1))
    if first == second:
        return ""
    back = time.astimezone(UTC).astimezone(time.tzinfo)
    return "comes twice" if back.replace(tzinfo=None) == time.replace(tzinfo=None) else "is left out"


def _check_exists(time: datetime) -> None:
    """Refuse a time of the night in which clocks change, where it is left out or comes twice."""
    if kind := _change_of_clocks(time):
        offsets = " or ".join(time.replace(fold=fold).strftime("%z") for fold in (0, 1))
        raise ValueError(
            f"{time:%H:%M} {kind} in {time.tzinfo} on that day, as clocks change: write {offsets} instead of the zone"
        )


def as_nbgrader_keeps(time: datetime) -> datetime:
    """Return a time in UTC without its zone."""
    return time.astimezone(UTC).replace(tzinfo=None)


def describe(time: datetime, now: datetime | None = None) -> str:
    """Return a time as a sentence tells it back: in its zone, in UTC, and how far away it is."""
    now = datetime.now(UTC) if now is None else now
    utc = time.astimezone(UTC)
    local = f"{time:%A}, {time.day} {MONTHS[time.month - 1].capitalize()} {time.year}, {time:%H:%M} {time.tzname() if time.tzinfo is UTC else time.tzinfo}"
    in_utc = "" if time.tzinfo is UTC else f" ({utc:%Y-%m-%d %H:%M} UTC)"
    seconds = (utc - now).total_seconds()
    minutes = round(abs(seconds) / 60)
    days, hours = divmod(round(minutes / 60), 24)
    parts = ((days, "day"), (hours, "hour")) if minutes >= 120 else ((minutes // 60, "hour"), (minutes % 60, "minute"))
    far = " and ".join(f"{n} {unit}{'s' * (n != 1)}" for n, unit in parts if n) or "less than a minute"
    return f"{local}{in_utc}, {'in ' + far if seconds >= 0 else far + ' ago'}"
