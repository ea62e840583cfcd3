"""When an upload was handed in: what its platform writes, or else its file says, and where that comes from."""

from datetime import UTC, datetime, tzinfo
from pathlib import Path

from coursework.grading.dates import YEARS, read_platform_time, read_stamp
from coursework.grading.layouts import Named
from coursework.grading.upload_records import NOTES

STAMP = "nbgrader's timestamp.txt"


def upload_time(path: Path, named: Named | None = None, zone: tzinfo = UTC, nbgraders: bool = False) -> tuple[str, str]:
    """Return when a file was uploaded, as ISO text in UTC, and where that time comes from.

    named: what its path says, in which a platform may write the time, in the zone of the course; nbgraders: whether it lies
    where nbgrader alone writes a timestamp.txt.
    """
    odd = ""
    if named is not None and named.time:
        try:
            written, remark = read_platform_time(named.time, zone)
            if written <= datetime.now(UTC):
                source = f"{named.platform}'s {named.source}" + (f"; {remark}" if remark else "")
                return written.astimezone(UTC).isoformat(timespec="seconds"), source
            odd = f"{named.platform}'s {named.time} is later than now, which is not believed: is the zone in course.toml right?"
        except (ValueError, OverflowError) as error:
            odd = f"{named.platform}'s {named.time} cannot be read, {error}"
    elif named is not None and named.platform in NOTES:
        odd = f"{named.platform}'s {NOTES[named.platform]} says nothing of it"
    when, source = _time_of_file(path, nbgraders, zone)
    return when, f"{source}; {odd}" if odd else source


def _time_of_file(path: Path, nbgraders: bool, zone: tzinfo) -> tuple[str, str]:
    """Return the time of a timestamp.txt of nbgrader's or of the file, and where it comes from."""
    stamp, odd = path.parent / "timestamp.txt", ""
    if stamp.is_file() and not stamp.is_symlink() and nbgraders:
        try:
            when, unknown = read_stamp(stamp.read_text(encoding="utf8")[:100], zone)
            remark = f", {unknown} taken as UTC: is the zone in course.toml right?" if unknown else ""
            return when.astimezone(UTC).isoformat(timespec="seconds"), STAMP + remark
        except (OSError, ValueError, OverflowError) as error:  # it says no time, or more than one
            odd = f"; {STAMP} cannot be read: {str(error).rpartition('got ')[2]}"
    try:
        odd = odd or "; its timestamp.txt may be the student's own" * (stamp.is_file() and not nbgraders)
        when, now = datetime.fromtimestamp(path.lstat().st_mtime, UTC), datetime.now(UTC)
        if when > now:  # it would be newer than all that come after it
            return now.isoformat(timespec="seconds"), "intake: the file is of a time to come"
        odd = odd or f"; nobody handed in anything in {when.year}" * (when.year not in YEARS)
        return when.isoformat(timespec="seconds"), f"the file{odd}"
    except (OSError, ValueError, OverflowError):  # gone, or a clock that was wrong by thousands of years
        return datetime.fromtimestamp(0, UTC).isoformat(timespec="seconds"), "nowhere: the file has none"
