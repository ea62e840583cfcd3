"""Sends final scores into a platform's gradebook by LTI 1.3 (Assignment and Grade Services), as a tool without launches.

Who is who comes from the platform's list of members; the column is found by its tag, the name of the assignment, or made.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import requests
from pylti1p3.assignments_grades import AssignmentsGradesService
from pylti1p3.exception import LtiException, LtiServiceException
from pylti1p3.grade import Grade
from pylti1p3.lineitem import LineItem
from pylti1p3.names_roles import NamesRolesProvisioningService
from pylti1p3.registration import Registration
from pylti1p3.service_connector import ServiceConnector

from coursework.grading import audit_log
from coursework.grading.export import rows
from coursework.grading.platforms import same

if TYPE_CHECKING:
    from coursework.grading.aliases import Row
    from coursework.grading.course import Course
    from coursework.grading.identity import Roster

SCOPE = "https://purl.imsglobal.org/spec/lti-ags/scope"
NEEDED = ("client_id", "token_url", "line_items", "members", "key")  # of the file; audience may stand there, too


def send(
    course: Course, assignment: str, path: Path, roster: Roster | None = None
) -> tuple[int, int, list[str], list[str]]:
    """Send what is final and was not sent like this before.

    path: a JSON file of what the platform said when the tool was registered, NEEDED, with `key` the name of a PEM file
    beside it.  roster: a Roster; a student is found by any entry of the line there.
    Return (how many were sent, how many stood there already, students whom the platform does not have, those not final).
    RuntimeError says what the platform refused; what was sent before stays sent, and the next call goes on.
    """
    place = _settings(path)
    sent: list[str] = []
    table = rows(course, assignment, roster)
    final = {row["student"]: row for row in table if row["score"] != "" and not row["waits_for_person"]}
    scopes: Any = [f"{SCOPE}/lineitem", f"{SCOPE}/score"]
    with _platform_errors_in_words(sent):
        connector = _connector(place)
        service = AssignmentsGradesService(connector, {"scope": scopes, "lineitems": place["line_items"]})
        members = NamesRolesProvisioningService(connector, {"context_memberships_url": place["members"]}).get_members()
    owner = _owners(members, table, roster)
    before = {line["student"]: line for line in audit_log.read(course, "sent", assignment)}
    with _platform_errors_in_words(sent):
        column = LineItem().set_tag(assignment).set_label(assignment)
        column.set_score_maximum(max((row["max_score"] for row in table), default=0))
        column = service.find_or_create_lineitem(column, find_by="tag")
        for student in sorted(final.keys() & owner.keys()):
            record = {"score": final[student]["score"], "to": column.get_id(), "member": owner[student]}
            if not record.items() <= before.get(student, {}).items():
                service.put_grade(_grade(final[student], owner[student]), column)
                audit_log.note(course, "sent", assignment, student, **record)
                sent.append(student)
    students = {row["student"] for row in table}
    there = len(final.keys() & owner.keys()) - len(sent)
    return len(sent), there, sorted(students - owner.keys()), sorted((students & owner.keys()) - final.keys())


@contextmanager
def _platform_errors_in_words(sent: list[str]) -> Iterator[None]:
    """Turn whatever a platform may answer into a sentence."""
    try:
        yield
    except (LtiException, requests.RequestException, KeyError, TypeError, AttributeError, ValueError) as error:
        raise RuntimeError(
            f"the platform did not take all scores: {_words(error)}; {len(sent)} were sent before that, and the same command sends the rest"
        ) from None


def _settings(path: Path) -> dict[str, Any]:
    """Return what stands in the file, the key as text."""
    try:
        place = json.loads(path.read_text(encoding="utf8"))
    except ValueError as error:
        raise ValueError(f"{path} must be JSON: {error}") from None
    missing = [name for name in NEEDED if not (isinstance(place, dict) and isinstance(place.get(name), str))]
    if missing:
        raise ValueError(f"{path} must have the texts {', '.join(NEEDED)}, and {', '.join(missing)} is missing")
    for name in ("token_url", "line_items", "members"):
        address = urlsplit(place[name])
        if address.scheme != "https" and address.hostname not in ("127.0.0.1", "::1", "localhost"):
            raise ValueError(f"{name} must begin with https://, for grades travel there, got {place[name]}")
    return place | {"key": (path.parent / place["key"]).read_text(encoding="utf-8")}


class _Session(requests.Session):
    """Requests that have an end and go where they were sent."""

    def request(self, method: str, url: str | bytes, *given: Any, **more: Any) -> requests.Response:
        """Send a request, as `requests` does, but no longer than 30 s, and follow no redirection."""
        answer = super().request(method, url, *given, **(more | {"timeout": 30, "allow_redirects": False}))
        if answer.is_redirect:
            raise LtiException(
                f"{url!s} leads elsewhere, which the file must name itself: {answer.headers['location']}"
            )
        return answer


def _connector(place: Mapping[str, Any]) -> Any:
    registration = Registration().set_client_id(place["client_id"]).set_auth_token_url(place["token_url"])
    registration.set_tool_private_key(place["key"])
    if place.get("audience"):
        registration.set_auth_audience(place["audience"])
    return ServiceConnector(registration, _Session())


def _owners(members: Iterable[Mapping[str, Any]], table: list[Row], roster: Roster | None) -> dict[str, str]:
    """Return {student: the platform's id}: by user id, institution's id or email address, each as the roster knows it."""
    known: dict[str, set[str]] = {}
    found: dict[str, str] = {}
    for row in table:
        for name in {row["student"], *(roster.of(row["student"]) if roster else ())}:
            known.setdefault(same(name), set()).add(row["student"])
    for member in members:
        ids = [member.get(name) for name in ("user_id", "lis_person_sourcedid", "email")]
        students = {student for one in ids if one for student in known.get(same(str(one)), ())}
        if len(students) > 1 or students & found.keys():
            raise ValueError(f"a member of the platform must belong to one student, and each to one: look at {', '.join(sorted(students))}")  # fmt: skip
        found |= dict.fromkeys(students, str(member["user_id"]))
    return found


def _grade(row: Row, member: str) -> Any:
    grade = Grade().set_score_given(row["score"]).set_score_maximum(row["max_score"]).set_user_id(member)
    now = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return grade.set_timestamp(now).set_activity_progress("Completed").set_grading_progress("FullyGraded")


def _words(error: Exception) -> str:
    """Return what went wrong in one line; a page that a platform sent instead of data is not shown."""
    if isinstance(error, LtiServiceException):
        answer = error.response
        hint = (
            " (client_id, key and audience as the platform has them?)" if answer.status_code in (400, 401, 403) else ""
        )
        return f"{answer.url} answers {answer.status_code} {answer.reason}{hint}"
    return " ".join(f"{type(error).__name__}: {error}".split())[:300]
