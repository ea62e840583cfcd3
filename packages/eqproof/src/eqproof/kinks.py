"""All points that are tried because of kinks: behind each gate of `branches`, at its zeros, and where two are zero at once."""

import mpmath

from eqproof.branches import Gate
from eqproof.crossed_kinks import at_two_kinks
from eqproof.crossings import Survey, survey_gates
from eqproof.points import Point
from eqproof.sampling import NO_VALUE, may_be
from eqproof.zeros import on_zero


def beyond_kinks(found: list[Gate], whole: bool, points: list[Point]) -> tuple[list[Point], list[str]]:
    """Return points on the other side of each kink, and in words the kinks of which one side alone was met.

    found: the gates of claims; whole: whether these are all.
    """
    missed = [] if whole else ["what has no value in symbols"]
    if not found:
        return [], missed
    try:
        survey = survey_gates(found, points)
    except NO_VALUE:
        return [], [*missed, *dict.fromkeys(gate.kink for gate in found)]
    places = [*survey_points(survey, points[0]), *at_two_kinks(found, points)]
    for i, gate in enumerate(found):
        zeros = list(on_zero(gate, points)) if gate.point else []
        places += zeros
        needed = gate.sided and not gate.alone
        if (gate.alone and not zeros) or (needed and survey.one_sided(i) and not gate.settled()):
            missed.append(gate.kink)
    return places, list(dict.fromkeys(missed))


def survey_points(survey: Survey, template: Point) -> list[Point]:
    """Return the points that a survey found, as far as letters may have these values; template: the point they are like otherwise."""
    found = [letters for letters in survey.found if all(may_be(x, value) for x, value in letters.items())]
    given = [{x: mpmath.mpf(float(value)) for x, value in letters.items()} for letters in found]
    return [Point(template.seed, values, template.wide, template.salt) for values in given]
