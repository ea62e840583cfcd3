"""What a message of a kernel is, which a notebook may have forged: whose answer, whether the end of one, how large."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coursework.check.session import MIME

CONTAINER = 64  # bytes of an empty list


def answers(got: Mapping[str, Any], message: str) -> bool:
    """Return whether a message has a content and belongs to a request, known by its id."""
    content = got.get("content")
    parent = got.get("parent_header")
    return isinstance(content, dict) and isinstance(parent, dict) and parent.get("msg_id") == message


def is_idle(got: Mapping[str, Any], message: str) -> bool:
    """Return whether a message says that the kernel is through with a request."""
    is_status = answers(got, message) and got.get("msg_type") == "status"
    return is_status and got["content"].get("execution_state") == "idle"


def size_of(content: object) -> int:
    """Return about how many bytes a message holds, without writing it out."""
    total = 0
    todo = [content]
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


def show(kind: str, content: Mapping[str, Any], outputs: list[dict[str, Any]]) -> None:
    """Append what a message of a kind shows to the outputs of a cell: text, an error, or data whose parts are text."""
    if kind == "stream":
        text = str(content.get("text", ""))
        name = "stderr" if content.get("name") == "stderr" else "stdout"
        if outputs and outputs[-1].get("name") == name:
            outputs[-1]["text"] += text
        else:
            outputs.append({"output_type": "stream", "name": name, "text": text})
    elif kind == "error":
        trace = [str(line)[:10_000] for line in list(content.get("traceback", []))[:60]]
        outputs.append({"output_type": "error", "ename": str(content.get("ename")),
                        "evalue": str(content.get("evalue"))[:2000], "traceback": trace})  # fmt: skip
    elif isinstance(content.get("data"), dict):
        data = {kind: part for kind, part in content["data"].items() if kind == MIME or isinstance(part, str)}
        outputs.append({"output_type": "display_data", "data": data, "metadata": {}})
