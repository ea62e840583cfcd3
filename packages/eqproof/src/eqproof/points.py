"""Random points, and the number that a SymPy expression has there, in as many digits as wanted."""

import operator
import random
from collections.abc import Callable, Mapping
from random import Random
from typing import Any

import mpmath
import sympy
from sympy.core.function import AppliedUndef

from eqproof.errors import NoNumber, ProofError

DIGITS = 50
AGREE = 30  # digits in which two sides must agree
FUNCTIONS = {
    sympy.sin: mpmath.sin,
    sympy.cos: mpmath.cos,
    sympy.tan: mpmath.tan,
    sympy.exp: mpmath.exp,
    sympy.log: mpmath.log,
    sympy.Abs: abs,
    sympy.sign: mpmath.sign,
    sympy.asin: mpmath.asin,
    sympy.acos: mpmath.acos,
    sympy.atan: mpmath.atan,
    sympy.atan2: mpmath.atan2,
    sympy.sinh: mpmath.sinh,
    sympy.cosh: mpmath.cosh,
    sympy.tanh: mpmath.tanh,
    sympy.asinh: mpmath.asinh,
    sympy.acosh: mpmath.acosh,
    sympy.atanh: mpmath.atanh,
    sympy.factorial: mpmath.factorial,
    sympy.Max: max,
    sympy.Min: min,
}
TESTS = {"==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge}
KINKED = {sympy.Abs, sympy.sign, sympy.asin, sympy.acos, sympy.acosh, sympy.atan, sympy.atan2, sympy.Max, sympy.Min}


def one_name(names: dict[str, sympy.Basic], symbol: sympy.Basic) -> None:
    """Note a letter under its name; raise ProofError if another one, of other assumptions, has that name already."""
    if not isinstance(symbol, sympy.Symbol) or isinstance(symbol, sympy.Dummy):
        return
    if names.setdefault(symbol.name, symbol) != symbol:
        raise ProofError(f"two symbols of SymPy are called {symbol.name}: give them the same assumptions, or two names")


LetterValues = dict[sympy.Basic, Any]  # letters of SymPy, and the number that each of them is


class Point:
    """A random point: each symbol gets a rational number when it is first met, the same for the same seed and name."""

    def __init__(self, seed: int = 0, given: Mapping[Any, Any] | None = None, wide: int = 0, salt: str = "") -> None:
        """wide: the sizes go from 10^-wide to 10^wide, 0: all are near 1; `sizes(wide)` seeds visit them all.

        salt: what makes the points of one text others than those of another, see `sampling.salt_of`.
        """
        self.seed, self.wide, self.salt, self.drawn = seed, wide, salt, list[sympy.Basic]()
        self.kinked = False  # whether something was computed that is one expression here, another one there
        self.values = dict(given or {})
        self.names: dict[str, sympy.Basic] = {}

    def anew(self) -> "Point":
        """Return the same point with nothing computed yet, for another number of digits."""
        return Point(self.seed, wide=self.wide, salt=self.salt)

    def number(self, expression: Any) -> Any:
        """Return the value (mpf) of a SymPy expression here; raise NoNumber where it has none."""
        known = self.values.get(expression)
        if known is not None:
            return known
        result = self.compute(expression)
        if isinstance(result, mpmath.mpc):
            raise NoNumber(f"{expression} is complex: only real numbers are checked")
        self.values[expression] = result
        return result

    def compute(self, x: Any) -> Any:
        """Return the value of an expression that is met for the first time; raise NoNumber where no rule gives one."""
        if x.func in FUNCTIONS:
            return self.function(x)
        rule = next((rule for kinds, rule in RULES if isinstance(x, kinds)), None)
        if rule is None:
            raise NoNumber(f"no number is known for {x.func.__name__} in {x}")
        return rule(self, x)

    def rational(self, x: sympy.Rational) -> mpmath.mpf:
        """Return the value of a fraction."""
        return mpmath.mpf(x.p) / x.q

    def sum(self, x: sympy.Add) -> Any:
        """Return the value of a sum."""
        return mpmath.fsum(self.number(term) for term in x.args)

    def product(self, x: sympy.Mul) -> Any:
        """Return the value of a product."""
        return mpmath.fprod(self.number(factor) for factor in x.args)

    def power(self, x: sympy.Pow) -> Any:
        """Return the value of a power; one that is no whole number has a kink."""
        base = self.number(x.base)
        exponent = x.exp
        self.kinked |= exponent.is_Number and not exponent.is_Integer
        return base ** (int(exponent) if exponent.is_Integer else self.number(exponent))

    def function(self, x: Any) -> Any:
        """Return the value of one of the FUNCTIONS of its arguments."""
        self.kinked |= x.func in KINKED
        return FUNCTIONS[x.func](*(self.number(argument) for argument in x.args))

    def constant(self, x: sympy.NumberSymbol | sympy.Float) -> mpmath.mpf:
        """Return the value of a number such as pi in as many digits as are used now."""
        return mpmath.mpf(x._to_mpmath(mpmath.mp.prec))

    def piecewise(self, x: sympy.Piecewise) -> Any:
        """Return the value of the first piece whose condition holds."""
        self.kinked = True
        return self.number(next(value for value, condition in x.args if self.holds(condition)))

    def imaginary_unit(self, x: Any) -> mpmath.mpc:
        """Return the imaginary unit, so that `number` can say that what has it is complex."""
        return mpmath.mpc(0, 1)

    def holds(self, condition: Any) -> bool:
        """Tell whether a condition of SymPy is true here; what differs by rounding is equal."""
        if condition in (sympy.true, sympy.false):
            return bool(condition)
        if isinstance(condition, sympy.Not):
            return not self.holds(condition.args[0])
        if isinstance(condition, sympy.And | sympy.Or):
            return (all if isinstance(condition, sympy.And) else any)(map(self.holds, condition.args))
        test = TESTS.get(getattr(condition, "rel_op", ""))
        if test is None:
            raise NoNumber(f"no number is known for the condition {condition}")
        a = self.number(condition.lhs)
        b = self.number(condition.rhs)
        return bool(test(*((b, b) if abs(a - b) <= rounding() * max(abs(a), abs(b)) else (a, b))))

    def integral(self, x: sympy.Integral) -> Any:
        """Return a definite integral by quadrature."""
        *inner, (variable, low, high) = x.limits  # the innermost comes first
        integrand = sympy.Integral(x.function, *inner) if inner else x.function
        fixed = {s: v for s, v in self.values.items() if isinstance(s, sympy.Symbol) and s != variable}
        for symbol in x.free_symbols:
            fixed[symbol] = self.number(symbol)
        return mpmath.quad(
            lambda at: Point(self.seed, {**fixed, variable: at}, salt=self.salt).number(integrand),
            [self.number(low), self.number(high)],
        )

    def random(self, symbol: sympy.Basic) -> mpmath.mpf:
        """Return a rational number with about 12 digits: positive where the symbol is, else of either sign."""
        self.drawn.append(symbol)
        one_name(self.names, symbol)
        rng = random.Random(f"{self.salt}{self.seed} {symbol} {getattr(symbol, 'dummy_index', '')}")
        size = mpmath.mpf(rng.randint(4 * 10**11, 2 * 10**12)) / rng.randint(9 * 10**11, 10**12)
        size *= mpmath.mpf(10) ** self.magnitude(symbol) if self.wide else 1
        negative = not symbol.is_nonnegative and (symbol.is_nonpositive or self.below_zero(symbol, rng))
        return -size if negative else size

    def magnitude(self, symbol: sympy.Basic) -> int:
        """Return the power of ten of a symbol's size: the same for all at first, then each in an order of its own."""
        powers = range(-self.wide, self.wide + 1)
        turn, place = divmod(self.seed, len(powers))
        return powers[place] if turn == 0 else random.Random(f"{self.salt}{symbol}").sample(powers, len(powers))[place]

    def below_zero(self, symbol: sympy.Basic, rng: Random) -> bool:
        """Tell by lot whether a symbol is negative; when its sizes come again, the lot is turned."""
        turn, place = divmod(self.seed, 2 * self.wide + 1)
        if not self.wide or turn == 0:
            return rng.random() < 0.5
        return (random.Random(f"{self.salt}{symbol} {place}").random() < 0.5) == (turn == 1)


# what gives the value of each kind of expression; the first that fits
RULES: tuple[tuple[Any, Callable[[Point, Any], Any]], ...] = (
    # an unknown function, or its derivative, is a letter of its own
    (sympy.Symbol | AppliedUndef | sympy.Derivative | sympy.Subs, Point.random),
    (sympy.Rational, Point.rational),
    (sympy.Add, Point.sum),
    (sympy.Mul, Point.product),
    (sympy.Pow, Point.power),
    (sympy.Integral, Point.integral),
    (sympy.NumberSymbol | sympy.Float, Point.constant),
    (sympy.Piecewise, Point.piecewise),
    (type(sympy.I), Point.imaginary_unit),
)


def sizes(wide: int) -> int:
    """Return how many points of sizes up to 10^wide visit each size in each sign."""
    return 3 * (2 * wide + 1)


def rounding() -> mpmath.mpf:
    """Return what is rounding in as many digits as are used now: the same share of them, for large terms may cancel."""
    return mpmath.mpf(10) ** (-AGREE * mpmath.mp.dps / DIGITS)
