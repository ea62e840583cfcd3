"""Decides a claim: in exact fractions where they can, in many digits where they cannot."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import sympy

from eqproof import tree
from eqproof.bindings import Bindings
from eqproof.errors import NotDecided, ProofError
from eqproof.in_digits import in_digits
from eqproof.in_fractions import in_fractions
from eqproof.parser import parse
from eqproof.project import INSIDE
from eqproof.rates import refuse_still_rates
from eqproof.statement import Each, Statement, index_values, indices_in_words
from eqproof.subscripts import Indices
from eqproof.vacuity import refuse_vacuous, trivial_side
from eqproof.verdict import Grade, Verdict

GROUP = rf"\{{{INSIDE}\}}"
ONLY_WORDS = re.compile(r"\{?\s*(\\(text|textrm|textit|mathrm)\s*\{[^{}$=<>]*\}\s*)+\}?")


def check(
    text: str,
    bindings: dict[str, Any] | Bindings,
    each: Each = None,
    points: int = 2,
    tolerance: float | None = None,
    label: str | None = None,
    trivial: bool = False,
) -> Verdict:
    r"""Return the Verdict on a text of LaTeX, or raise the ProofError that says what cannot be read or is not bound.

    bindings: {LaTeX of a symbol: what it stands for}, see `eqproof.bindings`; each: free indices, {"k": 3} for
    k = 1..3, or a list of {"k": 1, "i": 2}: the claim must hold for all of them; tolerance: relative, for values that
    are known to few digits only (what a printed decimal behind \approx claims needs none); trivial: a claim that is
    true by its form alone, such as a = a + 0, is asked for, and is refused without this.
    """
    every = index_values(each)
    table = bindings if isinstance(bindings, Bindings) else Bindings(bindings)
    try:
        refuse_still_rates(parse(text, label), [(table, at) for at in every])
        verdict = decide(text, table, every, points, tolerance, label, trivial)
    except ProofError as error:
        raise error.at(text, label=label) from None
    return replace(verdict, tried=verdict.tried + indices_in_words(every)) if verdict else verdict


def decide(
    text: str,
    bindings: Bindings,
    every: Sequence[Indices],
    points: int = 2,
    tolerance: float | None = None,
    label: str | None = None,
    trivial: bool | None = False,
) -> Verdict:
    """Return the Verdict of check for a list of values of the free indices, which it does not tell.

    What fails inside is a ProofError that says so: nothing is decided then. trivial: None lets a trivial claim pass.
    """
    if points < 1:
        raise ProofError(f"a claim must be tried at one point at least, got points={points}", label=label)
    claims = parse(text, label)
    refuse_letters_below_braces(text, label)
    statement = Statement(text, claims, bindings, every, points, tolerance)
    try:
        for chain in claims.chains:
            if not chain.relations:
                raise ProofError("this claims nothing: there is no relation in it", place=chain.span[0])
            if not trivial:
                refuse_vacuous(chain, bindings)
        verdict = in_fractions(statement) if tolerance is None else None
        if not verdict:  # false, or not decided; values in digits tell more than fractions do
            digital = in_digits(statement)
            verdict = digital if verdict is None or not digital else verdict
        if not verdict:
            refuse_conditions(statement)
        return judged_form(verdict, claims, trivial)
    except ProofError as error:
        raise error.at(text, label=label) from None
    except Exception as error:  # whatever it is: neither true nor false
        raise NotDecided(f"is not decided: {type(error).__name__}: {error}", text, 0, label) from error


def refuse_letters_below_braces(text: str, label: str | None) -> None:
    r"""Raise ProofError where letters name a part of an equation, \underbrace{..}_{T_1}: that is said, and not compared."""
    for brace in re.finditer(r"\\underbrace\s*(?=\{)", text):
        end = brace.end()
        depth = 0
        for end, sign in enumerate(text[brace.end() :], brace.end()):
            depth += (sign == "{") - (sign == "}")
            if not depth:
                break
        below = re.match(rf"\s*_\s*({GROUP}|\S)", text[end + 1 :])
        if below and not ONLY_WORDS.fullmatch(below[1]):
            rest = r"is not compared: write words, \text{..}, or an equation of its own"
            raise ProofError(f"what stands below this brace {rest}", text, brace.start(), label)


def judged_form(verdict: Verdict, claims: tree.Claims, trivial: bool | None) -> Verdict:
    """Return the Verdict, of the grade "trivial" where that was asked for; raise ProofError where one is and the other not."""
    side = trivial_side(claims) if verdict else None
    if side is not None and trivial is False:
        raise ProofError(
            "is the side before it by its form alone: this says nothing, or ask for it, trivial=True", of=side
        )
    if trivial and verdict and side is None:
        raise ProofError("this is not true by its form alone: leave out trivial=True", place=claims.span[0])
    return replace(verdict, grade=Grade.TRIVIAL) if side is not None else verdict


def refuse_conditions(statement: Statement) -> None:
    r"""Raise ProofError where a display of several claims is false for a condition in it: \ldots, \qquad x > 0."""
    chains = statement.claims.chains
    for chain in chains if len(chains) > 1 else ():
        letter = chain.sides[0]
        if len(chain.sides) != 2 or tree.printed_number(chain.sides[1]) is None or not isinstance(letter, tree.Symbol):
            continue
        bound = [statement.evaluation(at).look(letter) for at in statement.every]
        alone = replace(statement, claims=replace(statement.claims, chains=(chain,)), tolerance=None)
        if all(isinstance(x, sympy.Symbol) for x in bound) and not in_digits(alone):
            rest = "and no claim: bind it to a letter of this sign, or say it in the text"
            raise ProofError(f"is a condition on a letter that is free, {rest}", of=chain)
