"""Names of types that annotations of the grader share: objects as JSON holds them, which come from files and other processes."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

Line: TypeAlias = dict[str, Any]  # of the ledger, or of the trail
Result: TypeAlias = dict[str, Any]  # of an upload, as `task` makes it
Row: TypeAlias = dict[str, Any]  # of a table: of the grades, of what a grader filled in
Judged: TypeAlias = dict[str, Any]  # a Verdict as JSON
Report: TypeAlias = dict[str, Any]  # what came of the execution of a notebook
Cell: TypeAlias = dict[str, Any]  # of a student's notebook, cleaned by `reading`
Progress: TypeAlias = Callable[
    [int, int, Mapping[str, int], float], object
]  # (done, of how many, {state: count}, seconds)
