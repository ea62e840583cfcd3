"""A time that a teacher types, or a platform writes, is read in one way or refused."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from coursework.grading.dates import as_nbgrader_keeps, course_zone, describe, read_platform_time, read_stamp, read_time

BERLIN = ZoneInfo("Europe/Berlin")


def utc(words, zone=UTC):
    """What some words say, in UTC."""
    return f"{as_nbgrader_keeps(read_time(words, zone)):%Y-%m-%d %H:%M:%S}"


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("2026-11-30 23:59", "2026-11-30 23:59:00"),
        ("2026-11-30T23:59:30Z", "2026-11-30 23:59:30"),
        ("2026-11-30 23:59 UTC", "2026-11-30 23:59:00"),
        ("2026-11-30 23:59 utc", "2026-11-30 23:59:00"),
        ("2026-11-30 23:59+01:00", "2026-11-30 22:59:00"),
        ("2026-11-30 23:59 +0100", "2026-11-30 22:59:00"),
        ("2026-11-30 23:59 +01", "2026-11-30 22:59:00"),
        ("2026-11-30 23:59 UTC+1", "2026-11-30 22:59:00"),
        ("2026-11-30 23:59 GMT+01:00", "2026-11-30 22:59:00"),
        ("2026-11-30 23:59 UTC-5", "2026-12-01 04:59:00"),
        ("2026-11-30 23:59 -05:30", "2026-12-01 05:29:00"),
        ("2026-11-30 23:59 Europe/Berlin", "2026-11-30 22:59:00"),
        ("2026-07-30 23:59 Europe/Berlin", "2026-07-30 21:59:00"),
        ("2026-11-30 23:59:10.948203 America/Los_Angeles", "2026-12-01 07:59:10"),
        ("30 November 2026 23:59 UTC", "2026-11-30 23:59:00"),
        ("30. November 2026, 23:59 UTC", "2026-11-30 23:59:00"),
        ("Monday, 30 Nov 2026 at 23:59 Europe/Berlin", "2026-11-30 22:59:00"),
        ("Nov 30, 2026 11:59 PM", "2026-11-30 23:59:00"),
        ("November 30th 2026, 12:05 a.m. UTC", "2026-11-30 00:05:00"),
        ("3 May 2027 12:00 pm", "2027-05-03 12:00:00"),
        ("Mon, 30 Nov 2026 23:59:00 +0100", "2026-11-30 22:59:00"),
        ("2026/11/30 23:59", "2026-11-30 23:59:00"),
        ("  2026-11-30   23:59  ", "2026-11-30 23:59:00"),
    ],
)
def test_one_reading(words, expected):
    """ISO 8601 or the month in letters, with a zone or without; UTC+1 is an hour east of Greenwich."""
    assert utc(words) == expected


@pytest.mark.parametrize("hour", range(24))
def test_clocks_of_twelve_hours_and_of_twenty_four_tell_one_time(hour):
    """In what teachers type and in what platforms write: 12 AM begins the day, 12 PM is noon."""
    time = datetime(2026, 11, 30, hour, 7, tzinfo=UTC)
    twelve, half = hour % 12 or 12, "AM" if hour < 12 else "PM"
    for words in (f"{twelve:02d}:07 {half}", f"{twelve}:07{half.lower()}", f"{twelve}:07 {half[0]}.M."):
        assert read_time(f"30 November 2026 {words}") == read_time(f"2026-11-30 {time:%H:%M}") == time
    for words in (
        f"Nov 30, 2026 {twelve}07 {half}",
        f"November 30, 2026 {twelve}:07 {half}",
        f"30. November 2026 {time:%H:%M}",
    ):
        assert read_platform_time(words, UTC)[0] == time


def test_a_course_has_a_zone(tmp_path):
    """Of words without one: that of course.toml, in summer as in winter; a zone that is written wins."""
    (tmp_path / "course.toml").write_text('zone = "Europe/Berlin"\n', encoding="utf-8")
    zone = course_zone(tmp_path)
    assert (
        utc("2026-11-30 23:59", zone) == "2026-11-30 22:59:00"
        and utc("2026-07-30 23:59", zone) == "2026-07-30 21:59:00"
    )
    assert utc("2026-11-30 23:59 UTC", zone) == "2026-11-30 23:59:00"
    (tmp_path / "course.toml").write_text("", encoding="utf-8")
    (tmp_path / "course.toml").write_text('\ufeffzone = "Europe/Berlin"\n', encoding="utf-8")  # as Notepad writes
    assert str(course_zone(tmp_path)) == "Europe/Berlin"
    (tmp_path / "course.toml").write_text("", encoding="utf-8")
    assert course_zone(tmp_path) is UTC and course_zone(tmp_path / "none") is UTC
    for wrong in ('zone = "CET"', 'zone = "Berlin"', "zone =", 'zone = "../../etc/passwd"', "zone = 1",
                  "zone = " + 2000 * "[", 'Zone = "UTC"', '[course]\nzone = "UTC"', 'zone = "right/Europe/Berlin"'):  # fmt: skip
        (tmp_path / "course.toml").write_text(wrong, encoding="utf-8")
        with pytest.raises(ValueError, match=r'course.toml must hold a line such as zone = "Europe/Berlin"'):
            course_zone(tmp_path)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (
            "11.12.2026 23:59",
            "11.12.2026 may be 11 December 2026 or 12 November 2026; write the year first, 2026-MM-DD",
        ),
        ("07/12/2026 23:59 UTC", "07/12/2026 may be 7 December 2026 or 12 July 2026"),
        (
            "30.11.2026 23:59",
            "30.11.2026 is no form that is read, since others may be two days: write 30 November 2026, the month in letters",
        ),
        ("31-31-2026 10:00", "31-31-2026 may be no day"),
        ("yesterdayish", "it needs a year, a month, a day and a time of day"),
        ("", "it needs a year"),
        ("2026-11-30", "it needs a year, a month, a day and a time of day"),
        ("23:59", "it needs a year"),
        ("30 November 23:59", "it needs a year"),
        ("2026-13-45 10:00", "month must be in 1..12"),
        ("2026-02-30 10:00", "day"),
        ("2026-11-30 25:00", "hour must be in 0..23"),
        ("2026-11-30 24:00", "a day ends at 23:59; write that, or 00:00 of the next day"),
        ("Tuesday, 30 November 2026 23:59", "that day is a Monday, not a Tuesday"),
        ("yesterday 30 November 2026 23:59", "yesterday is no day of the week"),
        ("30 November 0026 23:59", "the year is one from 1990 to 2100, not 26"),
        ("2026-11-30 10:00-12:00", "no zone is -12:00 from Greenwich"),
        ("2026-11-30 23:59 right/Europe/Berlin", "is not known"),
        ("1nt November 2026 10:00", "it needs a year"),
        ("2026-11-30 noon", "noon is no time of day"),
        ("2026-11-30 13:00 pm", "13:00 pm is no time of day"),
        ("30 Octember 2026 10:00", "Octember is no month in English"),
        ("30 Ma 2026 10:00", "Ma is no month"),
        ("2026-11-30 23:59 CET", "the time zone 'CET' is not known: write a name such as Europe/Berlin, or .01:00"),
        ("2026-11-30 23:59 XYZ", "the time zone 'XYZ' is not known"),
        ("2026-11-30 23:59 Europe/Atlantis", "the time zone 'Europe/Atlantis' is not known"),
        ("2026-11-30 23:59 ../../etc/passwd", "is not known"),
        ("2026-11-30 23:59+25:00", "no zone is .25:00 from Greenwich"),
        ("9999-12-31 23:59-05:00", "the year is one from 1990 to 2100, not 9999"),
        ("2026-10-25 02:30 Europe/Berlin", r"02:30 comes twice in Europe/Berlin on that day.*write \+0200 or \+0100"),
        ("2026-03-29 02:30 Europe/Berlin", "02:30 is left out in Europe/Berlin on that day"),
    ],
)
def test_what_has_no_reading_or_two_is_refused(words, why):
    """With what was given, why, and how to write it."""
    with pytest.raises(ValueError, match=f"--due must be a time such as '2026-11-30 23:59 Europe/Berlin'.*got .*{why}"):
        read_time(words, UTC, "--due")


def test_what_was_understood_is_told_back():
    """In its zone, in UTC, and how far away."""
    now = datetime(2026, 11, 26, 20, 0, tzinfo=UTC)
    said = describe(read_time("2026-11-30 23:59 Europe/Berlin"), now)
    assert said == "Monday, 30 November 2026, 23:59 Europe/Berlin (2026-11-30 22:59 UTC), in 4 days and 3 hours"
    assert describe(read_time("2026-11-26 20:10 UTC"), now) == "Thursday, 26 November 2026, 20:10 UTC, in 10 minutes"
    assert describe(now - timedelta(days=1), now).endswith("20:00 UTC, 1 day ago")
    assert "23:59 UTC+01:00 (2026-11-30 22:59 UTC)" in describe(read_time("2026-11-30 23:59+01:00"), now)


def test_a_stamp_of_a_zone_that_nobody_knows_counts_as_utc_and_says_so():
    """As nbgrader writes them; words that are no time are none."""
    time, unknown = read_stamp("2026-11-30 23:59:00 CET\n")
    assert (as_nbgrader_keeps(time).isoformat(), unknown) == ("2026-11-30T23:59:00", "CET")
    time, unknown = read_stamp("2026-11-30 23:59:00.123456 UTC+1")
    assert (as_nbgrader_keeps(time).isoformat(), unknown) == ("2026-11-30T22:59:00", "")
    time, unknown = read_stamp("2026-11-30 23:59:00 CET", ZoneInfo("Europe/Berlin"))
    assert (as_nbgrader_keeps(time).isoformat(), unknown) == ("2026-11-30T22:59:00", "")
    for words in ("in time", "", "11.12.2026 23:59", "11.12.2026 23:59 CET"):
        with pytest.raises(ValueError, match="must be a time"):
            read_stamp(words)
