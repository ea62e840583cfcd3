"""What a message of a kernel is, which a notebook may have forged: whose answer, whether the end of one, how large."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

CONTAINER = 64  # bytes of an empty list


def answers(got: Mapping[str, Any], message: str) -> bool:
    """Return whether a message has a content and belongs to a request, known by its id."""
    content, parent = got.get("content"), got.get("parent_header")
    return isinstance(content, dict) and isinstance(parent, dict) and parent.get("msg_id") == message


def is_idle(got: Mapping[str, Any], message: str) -> bool:
    """Return whether a message says that the kernel is through with a request."""
    is_status = answers(got, message) and got.get("msg_type") == "status"
    return is_status and got["content"].get("execution_state") == "idle"


def size_of(content: object) -> int:
    """Return about how many bytes a message holds, without writing it out."""
    total, todo = 0, [content]
    while todo:
        part = todo.pop()
        if isinstance(part, str):
            total += len(part)
        elif isinstance(part, dict):
            todo += [*part.keys(), *part.values()]
            total += CONTAINER
        elif isinstance(part, (list, tuple)):
            todo += part
            total += CONTAINER
        else:
            total += 8
    return total
