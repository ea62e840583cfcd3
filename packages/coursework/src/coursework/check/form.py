"""Whether an answer has the form that is asked for: its shape, its letters, finite numbers; if not, a Diagnosis that says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from coursework.check.agreement import entry_name, programs_of
from coursework.check.data import OtherForm, squeezed
from coursework.check.diagnosis import Diagnosis, Kind
from coursework.check.messages import joined, text
from coursework.check.reading import Unreadable, symbols
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import At, Data, Shape
    from coursework.check.parameters import Parameters
    from coursework.check.question import Question

MOST_SHOWN = 20  # numbers of an argument that a sentence shows
NOT_FINITE = {"oo", "zoo", "nan"}  # as SymPy writes them
SHOWN = ("q1", "q2", "qd1", "qd2")  # symbols of a formula whose numbers a sentence shows


def other_form(
    question: Question, p: Parameters, data: Data, inputs: Sequence[tuple[Any, ...]] | None
) -> Diagnosis | None:
    """Return a Diagnosis if the answer, or what a function returns at one of its inputs, has not the form asked for, else None."""
    if inputs is None or "unreadable" in data:
        return _form_of_value(question, p, data, ())
    if len(data["calls"]) != len(inputs):
        return Diagnosis(Kind.FORM, text("form.not-called"))
    for arguments, call in zip(inputs, data["calls"]):
        found = _form_of_call(question, p, call, arguments)
        if found:
            return found
    return None


def _form_of_call(question: Question, p: Parameters, call: Data, arguments: tuple[Any, ...]) -> Diagnosis | None:
    if call.get("error", "").startswith("NotImplementedError"):
        return Diagnosis(Kind.UNWRITTEN, text("form.unwritten"))
    if call.get("error", "").startswith(f"{OtherForm.__name__}: "):
        words = text("form.other", words=call["error"].partition(": ")[2])
        return Diagnosis(Kind.FORM, words, where=state_in_words(arguments))
    if "error" in call:
        words = text("form.stopped", error=call["error"])
        return Diagnosis(Kind.STOPPED, words, where=state_in_words(arguments), error=call["error"])
    found = _form_of_value(question, p, call, arguments)
    return replace(found, where=state_in_words(arguments)) if found else None


def _form_of_value(question: Question, p: Parameters, data: Data, at: At) -> Diagnosis | None:
    if "error" in data:
        words = text("form.stale", error=data["error"])
        return Diagnosis(Kind.STALE, words, error=data["error"])
    if "unreadable" in data:
        return Diagnosis(Kind.NO_DATA, text("form.no-data", words=data["unreadable"]))
    if data.get("curves") and not any(map(is_drawn, data["curves"])):
        return Diagnosis(Kind.INFINITE, text("form.no-points"))
    if "items" in data and question.shape is not None:
        form = wanted(question, question.shape_at(p, at))
        return Diagnosis(Kind.NO_DATA, text("form.dict", wanted=form))
    if "shape" not in data:
        return None
    used = set().union(*map(symbols, programs_of(data)[1])) if "text" in data else set()
    return (
        _infinite_or_symbolic(question, used)
        or _other_shape(question, question.shape_at(p, at), data["shape"])
        or _strange_symbol(question, used)
        or _infinite_number(data)
    )


def _infinite_or_symbolic(question: Question, used: set[str]) -> Diagnosis | None:
    """Return a Diagnosis of a formula that is not finite, or stands where numbers are asked for; used: its symbols."""
    if used & NOT_FINITE:
        return Diagnosis(Kind.INFINITE, text("form.infinite"))
    if used and not question.names:
        return Diagnosis(Kind.SYMBOL, text("form.letter-left", name=min(used)))
    return None


def _other_shape(question: Question, shape: Shape | None, found: Sequence[int]) -> Diagnosis | None:
    """Return a Diagnosis of an answer of another shape; shape: what is asked for, None for any."""
    if shape is None or squeezed(shape) == squeezed(found):
        return None
    form = wanted(question, shape)
    words = text("form.shape", wanted=form, shape=tuple(found)) if found else text("form.single", wanted=form)
    turned = squeezed(shape) == squeezed(found)[::-1]
    return Diagnosis(Kind.FORM, f"{words} {text('form.transposed')}" if turned else words)


def _strange_symbol(question: Question, used: set[str]) -> Diagnosis | None:
    names = question.names.split()
    strange = used - set(names)
    if not strange:
        return None
    return Diagnosis(Kind.SYMBOL, text("form.other-letter", name=min(strange), names=", ".join(names)))


def _infinite_number(data: Data) -> Diagnosis | None:
    bad = [i for i, x in enumerate(data.get("numbers", ())) if isinstance(x, str)]
    if not bad:
        return None
    where = entry_name(data["shape"], bad[0])
    words = text("form.infinite")
    return Diagnosis(Kind.INFINITE, f"{words} {text('form.look', place=where)}" if where else words)


def wanted(question: Question, shape: Shape | None) -> str:
    """Return words for the form that is asked for."""
    kind = "formula" if question.names else "number"
    if shape is None:
        return question.title
    if not shape:
        return text(f"form.one-{kind}")
    if len(shape) == 1:
        return text(f"form.{kind}s", count=shape[0])
    return text(f"form.grid-{kind}s", shape=joined("form.by", map(str, shape)))


def is_drawn(curve: Data) -> bool:
    """Return whether a line has points.  Raises Unreadable if some of them are nowhere."""
    points = np.array([curve[axis]["numbers"] for axis in "xy"], dtype=float)
    finite = np.isfinite(points).all(axis=0)
    if finite.any() and not finite.all():
        raise Unreadable("a line of the plot is not finite everywhere")
    return bool(finite.any())


def state_in_words(at: At) -> str:
    """Return words for the state at which something fails."""
    if isinstance(at, dict):
        shown = {name: value for name, value in at.items() if name in SHOWN}
        return (
            text("form.state", state=", ".join(f"{name} = {value:.3f}" for name, value in shown.items()))
            if shown
            else ""
        )
    small = [entry for entry in at if not callable(entry) and np.ndim(entry) <= 1 and np.size(entry) <= MOST_SHOWN]
    parts = [np.array2string(np.asarray(entry), precision=3, separator=", ") for entry in small]
    return text("form.state", state=", ".join(parts)) if parts else ""
