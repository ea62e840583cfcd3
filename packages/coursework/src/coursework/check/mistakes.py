"""Generic mistakes, each a record: of which sort, at what it is made, what takes it back or does it; its words are in `messages.toml`."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from coursework.check.diagnosis import Mistake, Scope, Sort
from coursework.lazy_numpy import np

if TYPE_CHECKING:
    from coursework.check.aliases import Entries

COUNTS = 20  # whole numbers below count, or say which: nobody takes their opposite or their half
MOST_ENTRIES = 12  # of an answer, or of a list of numbers, whose entries are tried one by one


def powered(x: float, exponent: float) -> float:
    """Return a power of a number, with its sign; none of 0, and none near 1, where all powers are much the same."""
    return math.nan if x == 0 or 0.8 < abs(x) < 1.25 else math.copysign(abs(x) ** exponent, x)


def sums(x: Entries, *, step: int) -> Entries:
    """Return each entry with those before it added, or with step = -1 those after it."""
    return [*itertools.accumulate(x[::step])][::step]


def differences(x: Entries, *, step: int) -> Entries:
    """Return each entry less the one before it, or with step = -1 less the one after it."""
    ordered = x[::step]
    return [a - b for a, b in zip(ordered, [0.0, *ordered])][::step]


CATALOG: dict[tuple[Scope, str], Mistake] = {}  # all of this file


def _entered(
    id: str,
    scope: Scope,
    sort: Sort = Sort.OTHER,
    factor: float | None = None,
    changes: tuple[Callable[[Any], Any], ...] = (),
    words: str = "",
) -> Mistake:
    """Return a mistake, which stands in the catalog from now on."""
    CATALOG[scope, id] = Mistake(id, scope, sort, factor, changes, words)
    return CATALOG[scope, id]


value, several, plot = (partial(_entered, scope=scope) for scope in (Scope.VALUE, Scope.SEVERAL, Scope.PLOT))
of_input, of_formula = (partial(_entered, scope=scope) for scope in (Scope.INPUT, Scope.FORMULA))
of_term, of_code = (partial(_entered, scope=scope) for scope in (Scope.TERM, Scope.CODE))

# ---- values -----------------------------------------------------------------------------------------------------------

# where: teach the checks a mistake that they find by themselves
# a record here or in `UNITS`, `OF_ONE`, `CHANGED`, `ANGLES`, `OF_ARGUMENTS`, its words in `messages.toml` beside it, a row in `FORMULAS`
# of `packages/coursework/tests/test_check_slips.py`; parts of one question's expected number: `laws.of_parts`; what may be
# wrong with code: a rule of `coursework.check.rewrites`
SIGN = value("sign", sort=Sort.SIGN, factor=-1.0)
TWICE = value("twice", sort=Sort.FACTOR, factor=2.0)
HALF = value("half", sort=Sort.FACTOR, factor=0.5)
FACTORS = (SIGN, TWICE, HALF)
OF_TWO = tuple(several(one.id, sort=one.sort, factor=one.factor) for one in FACTORS)
THOUSAND = value("thousand", sort=Sort.UNIT, factor=1000.0)
THOUSANDTH = value("thousandth", sort=Sort.UNIT, factor=1e-3)
MILLION = value("million", sort=Sort.UNIT, factor=1e6)
TURNS = value("turns", factor=math.tau)
PER_TURN = value("per-turn", factor=1 / math.tau)
DEGREES = value("degrees", sort=Sort.DEGREES, factor=180 / math.pi)
RADIANS_TWICE = value("radians-twice", sort=Sort.DEGREES, factor=math.pi / 180)
GRAVITY_MISSING = value("gravity-missing", factor=1 / 9.81)
UNITS = (
    THOUSAND,
    THOUSANDTH,
    MILLION,
    TURNS,
    PER_TURN,
    value("turns-squared", factor=math.tau**2),
    value("per-turn-squared", factor=math.tau**-2),
    value("half-turns", factor=math.pi),
    value("per-half-turn", factor=1 / math.pi),
    DEGREES,
    RADIANS_TWICE,
    value("turns-a-minute", factor=60 / math.tau),
    value("gravity-twice", factor=9.81),
    GRAVITY_MISSING,
    value("gravity-10", factor=10 / 9.81),
    value("gravity-9-8", factor=9.8 / 9.81),
    value("root-of-two", factor=math.sqrt(2)),
    value("root-of-half", factor=math.sqrt(0.5)),
    value("root-of-gravity", factor=math.sqrt(9.81)),
    value("root-of-gravity-missing", factor=math.sqrt(1 / 9.81)),
    value("four-times", factor=4.0),
    value("quarter", factor=0.25),
)
KNOWN_FACTORS = (*FACTORS, *UNITS)
INVERSE = value("inverse", changes=(lambda x: powered(x, -1),))
SQUARE = value("square", changes=(lambda x: powered(x, 0.5),))
ROOT = value("root", changes=(lambda x: powered(x, 2),))
OF_ONE = (  # what one number should have been
    INVERSE,
    SQUARE,
    ROOT,
    value("period", changes=(lambda x: math.tau / x,)),
    value("half-period", changes=(lambda x: math.pi / x,)),
    value("root-of-inverse", changes=(lambda x: powered(x, -2),)),
    value("square-of-inverse", changes=(lambda x: powered(x, -0.5),)),
    value("one-too-few", changes=(lambda x: x + 1,)),
    value("one-too-many", changes=(lambda x: x - 1,)),
    value("quarter-turn", changes=(lambda x: x - math.pi / 2,)),
    value("quarter-turn-back", changes=(lambda x: x + math.pi / 2,)),
    value("other-acute", changes=(lambda x: math.pi / 2 - x,)),
    value("rest-of-half-turn", changes=(lambda x: math.pi - x,)),
    value("tangent", changes=(math.atan,)),
    value("sine", changes=(lambda x: math.asin(x) if abs(x) <= 1 else math.nan,)),
    value("cosine", changes=(lambda x: math.acos(x) if abs(x) <= 1 else math.nan,)),
)
OTHER_ORDER = value("other-order", sort=Sort.ORDER, changes=(lambda x: x[::-1],))
OTHER_PLACES = value("other-places", sort=Sort.PLACE)
OF_LIST = (  # what the entries of a list should have been
    OTHER_ORDER,
    value("sums", changes=(partial(differences, step=1),)),
    value("differences", changes=(partial(sums, step=1),)),
    value("sums-from-end", changes=(partial(differences, step=-1),)),
    value("differences-from-end", changes=(partial(sums, step=-1),)),
    value("next-place", sort=Sort.PLACE, changes=(lambda x: [*x[1:], x[0]],)),
    value("place-before", sort=Sort.PLACE, changes=(lambda x: [x[-1], *x[:-1]],)),
)
TRANSPOSED = value("transposed", sort=Sort.TRANSPOSED)
EXCHANGED = several("exchanged", sort=Sort.EXCHANGED)
ROWS_REVERSED = value("rows-reversed", sort=Sort.ORDER)
COLUMNS_REVERSED = value("columns-reversed", sort=Sort.ORDER)
NOT_SYMMETRIC = (value("not-symmetric-above"), value("not-symmetric-below"))
OF_PLOT = (  # what the height of a line should have been
    plot("quarter-turn", changes=(lambda y: y - math.pi / 2,)),
    plot("quarter-turn-back", changes=(lambda y: y + math.pi / 2,)),
    plot("half-turn", changes=(lambda y: y - math.pi,)),
)
FACTOR_MISSING = value("factor-missing")
FACTOR_TOO_MANY = value("factor-too-many")
# of a number of the student's
FACTOR_OR_POWER = value("factor-or-power")
FACTOR_OR_ROOT = value("factor-or-root")
NUMBER_FACTOR = value("number-factor")
NUMBER_OR_ROOT = value("number-factor-or-root")
ZERO = value("zero")
LABEL_UNIT, X_UNIT = (plot(one, sort=Sort.UNIT) for one in ("other-unit", "x-unit"))  # the laws of plots tell these
AXES_EXCHANGED = plot("axes-exchanged", sort=Sort.EXCHANGED)

# ---- what an answer is made of ----------------------------------------------------------------------------------------

CHANGED = (  # what stands for a number, a symbol, an argument
    of_input("missing", changes=(lambda x: 0.0,)),
    of_input("sign", sort=Sort.SIGN, changes=(lambda x: -x,)),
    of_input(
        "factor-2",
        sort=Sort.FACTOR,
        changes=(lambda x: 2 * x, lambda x: x / 2, lambda x: x / math.sqrt(2), lambda x: x * math.sqrt(2)),
    ),
    of_input("one", sort=Sort.ONE, changes=(lambda x: 1.0,)),
    of_input("other-power", changes=(lambda x: x * x, math.sqrt, lambda x: 1 / x)),
)
ANGLES = (  # what stands for an angle
    of_input("quarter-turn", changes=(lambda x: x - math.pi / 2, lambda x: x + math.pi / 2)),
    of_input("other-acute", sort=Sort.EXCHANGED, changes=(lambda x: math.pi / 2 - x,)),
    of_input("no-angle", changes=(lambda x: math.pi / 2,)),
    of_input("half-turn", sort=Sort.SIGN, changes=(lambda x: x + math.pi,)),
    of_input("radians-twice", sort=Sort.DEGREES, changes=(math.radians,)),
    of_input("degrees", sort=Sort.DEGREES, changes=(math.degrees,)),
)
OF_ARGUMENTS = (  # what stands for a list, or a square matrix
    of_input("other-order", sort=Sort.ORDER, changes=(lambda x: x[::-1],)),
    of_input("sums", changes=(lambda x: np.cumsum(x),)),
    of_input("differences", changes=(lambda x: np.diff(x, prepend=0.0),)),
    of_input("transposed", sort=Sort.TRANSPOSED, changes=(lambda x: x.T,)),
    of_input("identity", sort=Sort.IDENTITY, changes=(lambda x: np.eye(len(x)),)),
)
OF_MATRICES = {Sort.TRANSPOSED, Sort.IDENTITY}  # of OF_ARGUMENTS, those of a matrix; the others are of a list
ARE_EXCHANGED = of_input("exchanged", sort=Sort.EXCHANGED)
IN_PLACE = of_input("in-place")
RELATIVE = of_input("relative")  # of an angle, a sum or a difference of two in place of one
SUMMED = of_input("summed", words="in-place")  # of what is no angle
ADDED_BEFORE = of_input("added-before")
MOMENTS = of_input("moments")
GRAVITY_NUMBER = of_input("gravity-number")
ARGUMENT_ADDED = (
    (of_input("subtracted"), 1),
    (of_input("added"), -1),
)  # what puts it right: so many times the argument

# ---- formulas and functions -------------------------------------------------------------------------------------------

FORMULA_SIGN = of_formula("sign")
OTHER_WAVE = of_formula("other-wave")
OTHER_SYMBOL = of_formula("other-symbol")
SYMBOL_TOO_MANY = of_formula("symbol-too-many")
FORMULA_TERM_TOO_MANY = of_formula("term-too-many")
FORMULA_NUMBER = of_formula("number")
FORMULA_SQUARE = of_formula("square")
FORMULA_HALF = of_formula("half")
FORMULA_TWICE = of_formula("twice")
FORMULA_FACTOR, WAVE_MISSING, SUM_MISSING = (
    of_formula(one) for one in ("factor-missing", "wave-missing", "term-missing")
)
ONE_TERM = of_formula("one-term")
TERM_MISSING = of_term("missing")
TERM_TOO_MANY = of_term("too-many")
TERM_TOO_MANY_IN = of_term("too-many-in")
NOTHING_LEFT = of_term("nothing-left")

# ---- code -------------------------------------------------------------------------------------------------------------

CODE_SIGN = of_code("sign", sort=Sort.SIGN)
CONDITION_TOO_MANY = of_code("condition-too-many")
OTHER_FUNCTION = of_code("other-function")
CODE_TRANSPOSED = of_code("transposed", sort=Sort.TRANSPOSED)
NOT_TRANSPOSED = of_code("not-transposed")
ROUNDED = of_code("rounded")
CALL_TOO_MANY = of_code("call-too-many")
ARGUMENTS_EXCHANGED = of_code("arguments-exchanged")
ENTRIES_EXCHANGED = of_code("entries-exchanged")
OFF_BY_ONE = of_code("off-by-one")
SIZE_OFF_BY_ONE = of_code("size-off-by-one")
CODE_FACTOR = of_code("factor-2", sort=Sort.FACTOR)
CODE_SQUARE = of_code("square")
CODE_NUMBER = of_code("number")
NUMBER_OR_TERM = of_code("number-or-term")
CODE_FACTOR_TOO_MANY = of_code("factor-too-many")
CODE_TERM_TOO_MANY = of_code("term-too-many")
OTHER_PRODUCT = of_code("other-product")
PRODUCT_ORDER = of_code("product-order", sort=Sort.ORDER)
CODE_SUM = of_code("sum")
POWER_TOO_MANY = of_code("power-too-many")
OTHER_COMPARISON = of_code("other-comparison")
LINE_TOO_MANY = of_code("line-too-many")
LINES_EXCHANGED = of_code("lines-exchanged", sort=Sort.ORDER)
OTHER_NAME = of_code("other-name")
CODE_FACTOR_MISSING = of_code("factor-missing")
DIVISOR_MISSING = of_code("divisor-missing")
CODE_TERM_MISSING = of_code("term-missing")
WHOLE_NUMBERS = of_code("whole-numbers")
MATRIX_POWER = of_code("matrix-power")
MATRIX_INVERSE = of_code("matrix-inverse")
INVERSE_MISSING = of_code("inverse-missing")
OTHER_END_TRANSPOSED = of_code("other-end-transposed", sort=Sort.TRANSPOSED)
SQUARE_OF_SUM = of_code("square-of-sum")
REVERSED = of_code("reversed", sort=Sort.ORDER)
NOT_REVERSED = of_code("not-reversed", sort=Sort.ORDER)
ONE_OF_SUM = of_code("one-of-sum")
INDICES_EXCHANGED = of_code("indices-exchanged", sort=Sort.EXCHANGED)
COPY_MISSING = of_code("copy-missing")
RETURN_IN_LOOP = of_code("return-in-loop")
BEHIND_LOOP = of_code("behind-loop")
INTO_LOOP = of_code("into-loop")
STARTED_ANEW = of_code("started-anew")
LETTER_IS_NUMBER = of_code("letter-is-number")


class Group(str):
    """A name for several, told where none for one of them is."""
