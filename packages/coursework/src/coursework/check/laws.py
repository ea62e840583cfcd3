"""Laws that many questions share, functions (p, at, value) -> sentence or None, and what laws of one question are made of.

A law gives a verdict on the answer that it is given: it returns what it expects to nobody. Its sentence is a plain text, or
one of `Said`, which holds the law, the mistake that it names and the place apart.
"""

import contextlib
import contextvars
import math

from coursework.check import bodies
from coursework.check.agreement import entry_name
from coursework.check.data import flat
from coursework.check.diagnosis import Mistake, Said
from coursework.check.units import factor_to
from coursework.lazy_numpy import np

MISSED = 6e-3  # of a number: by less, it may have been rounded on the way
NEAR = 1e-6  # rounding and difference quotients stay below, mistakes above


OPPOSITE = Said("It has the opposite sign.", mistake=Mistake.SIGN)
TWICE, HALF = (Said(words, mistake=Mistake.FACTOR) for words in ("It is twice as large.", "It is half as large."))
OTHER_ORDER = Said("The entries are in the other order.", mistake=Mistake.ORDER)
OTHER_PLACES = Said("The entries are right, but not in their places.", mistake=Mistake.PLACE)
LARGER = Said("It is 1000 times as large: look at the units.", mistake=Mistake.UNIT)
SMALLER = Said("It is 1000 times too small: look at the units.", mistake=Mistake.UNIT)

_WORDLESS = contextvars.ContextVar("whether a law need not say why", default=False)
is_wordless = _WORDLESS.get


@contextlib.contextmanager
def wordless():
    """Laws tell only whether they hold: for searches that try thousands of answers, and show no words."""
    token = _WORDLESS.set(True)
    try:
        yield
    finally:
        _WORDLESS.reset(token)


def symmetric(p, at, value, name="M"):
    """M is symmetric, or a matrix of another name."""
    n, largest = len(value), max(abs(entry) for entry in flat(value)[1])
    gaps = [(abs(value[i][j] - value[j][i]), -i, -j) for i in range(n) for j in range(i)]
    gap, i, j = max(gaps, default=(0.0, 0, 0))
    if gap > NEAR * largest:
        return f"{name} is not symmetric: entries ({1 - j}, {1 - i}) and ({1 - i}, {1 - j}) differ."
    return None


def definite(p, at, value):
    """M is positive definite: a motion has positive kinetic energy."""
    n = len(value)
    left = [[(value[i][j] + value[j][i]) / 2 for j in range(n)] for i in range(n)]
    for k in range(n):  # elimination without exchange: each pivot is positive, and only then
        if not left[k][k] > 0:
            return "M is not positive definite: some motion would have negative or no kinetic energy."
        for i in range(k + 1, n):
            factor = left[i][k] / left[k][k]
            left[i] = [a - factor * b for a, b in zip(left[i], left[k])]
    return None


def differs(sentence, at, value, expected, tolerance=NEAR, of_g=None, wrong=None):
    """Return None where a value is the expected one; else the sentence, which names the law, and which entry or slip it is.

    Called inside a law, which computes what it expects and keeps it: no function that anybody can call returns it.
    of_g: the power of g that the value is proportional to, where a near miss may come from another g;
    wrong: {words: what a typical mistake gives}, looked for first.
    """
    (shape, expected), found = flat(expected), flat(value)[1]
    size = max(*map(abs, expected), 1e-9)

    def near(other, meant=expected, tolerance=tolerance):  # not so where something is not a number
        far = tolerance * max(*map(abs, meant), 1e-9)
        return all(abs(a - b) <= far for a, b in zip(other, meant))

    if all(map(math.isfinite, expected)) and near(found):
        return None
    if is_wordless() or not all(map(math.isfinite, expected)):  # no words where nothing can be compared
        return sentence
    apart = lambda mistaken: any(abs(a - b) > 0.01 * size for a, b in zip(mistaken, expected))
    wrong = {words: flat(mistaken)[1] for words, mistaken in (wrong or {}).items()}
    meant = tolerance if all(a == round(a, 4) for a in found) else max(NEAR, tolerance / 20)  # seldom right by chance
    named = [words for words, mistaken in wrong.items() if near(found, mistaken, meant) and apart(mistaken)]
    if named:  # two that give the same with a student's numbers are both said
        return Said(sentence, " Or: ".join(named[:2]))
    slips = {
        OPPOSITE: [-a for a in found],
        TWICE: [a / 2 for a in found],
        HALF: [a * 2 for a in found],
        OTHER_ORDER: found[::-1] if len(shape) == 1 else [math.nan] * len(found),
    }
    called = isinstance(at, tuple) and len(at) > 0  # what is so at one state may be another elsewhere: `slips` tells
    words = [slip for slip, other in slips.items() if near(other)] if not called else []
    close = None
    rounded = _is_rounded(found, expected, 11 * tolerance if called else MISSED)
    if not words and not isinstance(at, dict) and (rounded or (of_g and _is_rounded(found, expected, 0.02))):
        close = _close(lambda factor: near([factor * a for a in found]), tolerance, of_g, rounded)
    elif not words and not called:
        words = [
            slip
            for slip, other in (_of_one(*found) if len(found) == 1 else _of_many(found, shape)).items()
            if near(other)
        ]
    gaps = [abs(a - b) if math.isfinite(a) else -1.0 for a, b in zip(found, expected)]
    entry = gaps.index(max(gaps))
    where = entry_name(shape, entry)
    if not words and not close and near(sorted(found), sorted(expected)):
        words = [OTHER_PLACES]
    sign = "the sign of " if near([-a if gap > tolerance * size else a for a, gap in zip(found, gaps)]) else ""
    zero = ", which should not be zero" if not sign and len(expected) > 1 and found[entry] == 0.0 else ""
    if words:
        return Said(sentence, words[0], mistake=words[0].mistake)
    if close or not where:
        return Said(sentence, close=close or "")
    return Said(sentence, where=f"Look at {sign}{where}{zero}.", entry=None if sign or zero else entry)


PARTS = {"is missing": 0.0, "has the opposite sign": -1.0, "counts twice": 2.0, "counts half": 0.5}


def of_parts(whole, parts):
    """Return {words: what a typical mistake gives}, for `differs`: each part of what a law expects lost, turned, doubled, halved.

    parts: {its name: number or array}; whole(*parts): the value.
    """
    wrong = {}
    for k, name in enumerate(() if is_wordless() else parts):
        for words, factor in PARTS.items():
            try:
                wrong[f"{name} {words}."] = whole(*(factor * part if i == k else part for i, part in enumerate(parts.values())))  # fmt: skip
            except (ArithmeticError, ValueError):
                continue
    return wrong


def _is_rounded(found, expected, within):
    """Whether numbers, each of them, differ by so little that rounding may be why, or are the others rounded."""
    largest = max(map(abs, expected), default=0.0)
    return all(abs(a - b) <= within * abs(b) for a, b in zip(found, expected)) or any(
        all(a == round(a, k) and abs(a - b) <= min(0.51 * 10**-k, 0.05 * largest) for a, b in zip(found, expected))
        for k in range(1, 9)
    )


def powered(x, exponent):
    """Return a power of a number, with its sign; none of 0, and none near 1, where all powers are much the same."""
    return math.nan if x == 0 or 0.8 < abs(x) < 1.25 else math.copysign(abs(x) ** exponent, x)


def _of_one(number):
    """What a number should have been, by slips of units and of algebra."""
    return {
        LARGER: [number / 1000],
        SMALLER: [number * 1000],
        Said("It is 2 pi times as large: turns or radians?"): [number / math.tau],
        Said("It is 2 pi times too small: turns or radians?"): [number * math.tau],
        Said("It is 180 / pi times as large: degrees or radians?", mistake=Mistake.DEGREES): [math.radians(number)],
        Said("It is 180 / pi times too small: degrees or radians?", mistake=Mistake.DEGREES): [math.degrees(number)],
        Said("It is the inverse."): [powered(number, -1)],
        Said("It is the square."): [powered(number, 0.5)],
        Said("It is the root."): [powered(number, 2)],
    }


def _of_many(found, shape):
    """What several numbers should have been, by slips of units, or in other places."""
    millions = Said("It is 10^6 times as large: look at the units.", mistake=Mistake.UNIT)
    slips = {LARGER: [a / 1000 for a in found], millions: [a / 1e6 for a in found], SMALLER: [a * 1000 for a in found]}
    if len(shape) == 2 and shape[0] == shape[1]:
        turned = Said("It is transposed.", mistake=Mistake.TRANSPOSED)
        slips[turned] = [found[j * shape[0] + i] for i in range(shape[0]) for j in range(shape[0])]
    return slips


def is_no_root(sentence, value, residual, tolerance, slips=None):
    """Return None where a positive number is a root of residual(x), within `tolerance` of it: there it changes sign.

    Else the sentence; slips: {words: what it should have been, a function of the number}; the root is proportional to
    the root of g.
    """
    (x,) = flat(value)[1]

    def near(x, within=tolerance):
        below, above = residual(x * (1 - within)), residual(x * (1 + within))
        return min(below, above) < 0 < max(below, above)  # no product, which may be too small for a number

    if x > 0 and near(x):
        return None
    if x <= 0:
        return f"{sentence} A positive one is asked for."
    words = [slip for slip, meant in (slips or {}).items() if near(meant(x))]
    if not words and near(x, 0.02):
        rounded = near(x, MISSED) or x == round(x, 3)
        return Said(sentence, close=_close(lambda factor: near(factor * x), tolerance, 0.5, rounded))
    return Said(sentence, "".join(words[:1]))


def _close(near, tolerance, of_g, rounded):
    """Return words for numbers that are almost right: another g, or rounding, or none; near(factor): would they be right so."""
    for g in (9.8, 9.80665, 10.0):
        if of_g and near((9.81 / g) ** of_g):
            return f"It is close: g = {g:g} gives it, and g is 9.81 m/s^2 here; if not that, round later, or something small is wrong."
    allowed = f"an error of {100 * tolerance:g} % is allowed"
    return f"It is close: round later, {allowed}; if nothing was rounded, something small is wrong." if rounded else ""


WIDEST = 0.15  # of the range: a line with points in a few places that anybody knows is no answer
MOST_LONG = 3  # lines of a plot that run over the whole range: a guess of many is no answer


OF_RANGE = "The line should run from"


def is_no_plot(sentence, plot, low, high, curve, tolerance, wrong=None, units=("", "")):
    """Return None where some line of a plot runs from low to high within `tolerance` of curve(x), with words at the axes.

    Else the sentence, and why; wrong: {words: curve} of typical mistakes; units: of the two axes, which their words must
    name; other lines, as a grid or a mark, do no harm.
    """
    lines = [tuple(np.array(line[axis]["numbers"], dtype=float) for axis in "xy") for line in plot["curves"]]
    if not lines:
        return "The plot has no line: draw it with ax.plot."
    scales = [_scale(str(plot[f"{axis}label"]), unit) for axis, unit in zip("xy", units)]
    as_drawn, lines = (
        lines,
        [(x * (scales[0] or 1.0), y * (scales[1] or 1.0)) for x, y in lines],
    )  # in kN m, and says so
    long = [
        x
        for x, _ in lines
        if len(x) >= 20 and x.min() <= low + 0.1 * (high - low) and x.max() >= high - 0.1 * (high - low)
    ]
    if len(long) > MOST_LONG:
        return f"{len(long)} lines run over the whole range: draw the one that is asked for, and at most two others."
    is_no_line = lambda x, y: _is_no_line(sentence, x, y, low, high, curve, tolerance, wrong or {})
    found = [is_no_line(x, y) for x, y in lines]
    if None not in found:
        if {*scales} - {None, 1.0} and None in [is_no_line(x, y) for x, y in as_drawn]:
            words = (
                f"The numbers are those in {' and '.join(filter(None, units))}: the words at an axis name another unit."
            )
            return Said(words, done=True, mistake=Mistake.UNIT)
        return min(found, key=lambda one: 0 if not one.done else -1 if one.mistake is Mistake.UNIT else 1)
    if not (str(plot["xlabel"]).strip() and str(plot["ylabel"]).strip()):
        return "Words are missing at an axis: say the quantity and its unit."
    for axis, unit, scale in zip("xy", units, scales):
        if scale is None:
            return f"The words at the {axis} axis do not name its unit, {unit}: are they those of the other axis?"
    return None


def _scale(words, unit):
    """Return what turns the numbers at an axis into the unit that is asked for; None where its words name no such unit."""
    return factor_to(words, unit) if unit else 1.0


def _is_no_line(sentence, x, y, low, high, curve, tolerance, wrong):
    reach = 0.02 * (high - low)
    if abs(y.min() - low) <= reach and abs(y.max() - high) <= reach and not abs(x.min() - low) <= reach:
        words = f"{OF_RANGE} {low:.3g} to {high:.3g} along the x axis, and does so along y: are the axes exchanged?"
        return Said(words, done=True, mistake=Mistake.EXCHANGED)
    for factor in (math.tau, math.degrees(1), 1000.0):
        for scale in (factor, 1 / factor):
            if abs(x.min() * scale - low) <= reach and abs(x.max() * scale - high) <= reach:
                return _other_unit(low, high, x)
    if len(x) < 20 or x.min() > low + reach or x.max() < high - reach:
        found = f"{len(x)} points" if len(x) < 20 else f"it runs from {x.min():.3g} to {x.max():.3g}"
        return Said(f"{OF_RANGE} {low:.3g} to {high:.3g}, with at least 20 points: {found}.", done=True)
    if max(abs(x)) > 20 * max(abs(low), high):
        return _other_unit(low, high, x)
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    inside = (x >= low) & (x <= high)
    x, y = x[inside], y[inside]
    gaps = np.diff([low, *x, high])
    if max(gaps) > WIDEST * (high - low):
        start = [low, *x][int(np.argmax(gaps))]
        where = f"from {start:.3g} to {start + max(gaps):.3g} it has none"
        return Said(f"The line should have points all along from {low:.3g} to {high:.3g}: {where}.")
    expected = curve(x)
    if abs(y - expected).max() <= tolerance:
        return None
    if is_wordless():
        return Said(sentence)
    near = lambda other: abs(y - other(x)).max() <= tolerance / 4 * max(1.0, abs(other(x)).max() / abs(expected).max())
    named = [words for words, other in wrong.items() if near(other)]
    if named:  # two that give the same with a student's numbers are both said
        return Said(sentence, " Or: ".join(named[:2]))
    until = x[(abs(y - expected) > tolerance).argmax()]
    if until - low > 0.3 * (high - low):
        slip = f"It is right up to x = {until:.3g}, and leaves slowly: a step too long, or another number in it?"
        return Said(sentence, slip)
    slip, where = _line_words(x, y, expected, tolerance)
    return Said(sentence, slip, where)


def _other_unit(low, high, x):
    """Words for a line that runs over a range in other units."""
    words = f"{OF_RANGE} {low:.3g} to {high:.3g}, not to {x.max():.3g}: look at the unit of the x axis."
    return Said(words, done=True, mistake=Mistake.UNIT)


def _line_words(x, y, expected, tolerance):
    """What is the matter with a whole line, and where: its height, its place, how fast it runs; else where it is farthest away."""
    size, near = abs(expected).max(), max(tolerance, 1e-3 * np.ptp(expected))
    straight = np.column_stack([expected, np.ones_like(x)])
    (factor, shift), *_ = np.linalg.lstsq(straight, y, rcond=None)
    if abs(straight @ [factor, shift] - y).max() <= near * max(1.0, abs(factor)) and abs(factor) > 0.01:
        if abs(shift) <= near * max(1.0, abs(factor)):
            sign = ", and the opposite sign" if factor < 0 else ""
            return f"It has the right shape, but another height{sign}: a factor is wrong everywhere alike.", ""
        if abs(factor - 1) <= 0.01:
            return "It has the right shape, but is shifted up or down: by a term that is the same everywhere.", ""
        return (
            "It has the right shape, but another height, and is shifted up or down: a factor and a term are wrong.",
            "",
        )
    if abs(expected[::-1] - y).max() <= near:
        return "It runs the wrong way along the x axis.", ""
    for rate in np.geomspace(1.02, 4.0, 140):
        for words, one, other in (("slowly", y, expected), ("fast", expected, y)):
            inside = x[0] + (x - x[0]) / rate
            if abs(one - np.interp(inside, x, other)).max() <= 3 * near and np.ptp(other) > 20 * near:
                return f"It has the right shape, but runs too {words} along the x axis: what sets its rate?", ""
    worst = abs(y - expected).argmax()
    above = "high" if y[worst] > expected[worst] else "low"
    if abs(y[0] - expected[0]) > max(near, 0.02 * size):
        where = "" if worst == 0 else f" It is farthest away at x = {x[worst]:.3g}, where it is too {above}."
        return "", f"It begins too {'high' if y[0] > expected[0] else 'low'}, at x = {x[0]:.3g}.{where}"
    return "", f"It begins at the right height, and is farthest away at x = {x[worst]:.3g}, where it is too {above}."


def chosen(most):
    """Return the law of a prediction: a whole number from 1 to `most`, whichever; nobody is told here what comes."""

    def law(p, at, value):
        return None if value in range(1, most + 1) else f"Choose one of the numbers from 1 to {most}."

    return law


def energy_of(arm):
    """Return the law 1/2 qd . M qd = T, the sum over the bodies, at random rates; arm(p, at): (bodies, q, g)."""

    def law(p, at, value):
        moving, q, _ = arm(p, at)
        alone = {f", already where joint {i + 1} moves alone": qd for i, qd in enumerate(bodies.axes(len(q)))}
        for where, qd in {**alone, ", where the joints move together": [1.0] * len(q)}.items():
            energy = bodies.kinetic_energy(moving, q, qd)
            power = sum(a * entry * b for a, row in zip(qd, value) for entry, b in zip(row, qd))
            if not abs(power / 2 - energy) <= NEAR * max(energy, 1e-9):
                return f"1/2 qd . M qd is not the kinetic energy of the bodies{where}."
        return None

    return law


def gradient_of_potential(arm):
    """Return the law g = dU/dq, from the heights of the bodies; arm(p, at): (bodies, q, g)."""

    def law(p, at, value):
        moving, q, g = arm(p, at)
        return differs("At rest the torque should equal dU/dq.", at, value, bodies.weight(moving, q, g), 1e-5)

    return law
