r"""Exact numbers at a random point, each with its degree, so that the chance of a false equation to pass is known.

Mechanics is made of polynomials in parameters, rates and the cosines and sines of angles. Each letter becomes a random
whole number out of SIZE, each angle a point of the unit circle with rational coordinates,

    cos = (1 - t^2) / (1 + t^2),   sin = 2 t / (1 + t^2),   t a random whole number,

and both sides are compared as fractions, without a tolerance. A polynomial of degree d that is not zero is zero at such
a point with a chance of at most d / SIZE (Schwartz 1980, Zippel 1979). A letter and the sine of it are independent, and
so are the sines of angles that no rational combination joins; what else a function gives (a root, a logarithm) is a new
letter for each argument: that two sides agree is a proof all the same, that they differ is none.
"""

import math
import random
from typing import Any

import numpy as np
import sympy
from sympy.core.function import AppliedUndef
from sympy.external.gmpy import MPQ

from eqproof.points import one_name

SIZE = 2**48
LETTERS = sympy.Symbol | AppliedUndef | sympy.Derivative | sympy.Subs | sympy.NumberSymbol


class Inexact(Exception):
    """Something stands in the equation for which there is no exact number."""


class FinerAngleNeeded(Exception):
    """An angle is divided by a number: the point must give that part of it."""

    def __init__(self, part: int) -> None:
        super().__init__(part)
        self.part = part


class Exact:
    """A fraction, and the degrees of the polynomials above and below of which it is a value."""

    __slots__ = ("above", "below", "value")

    def __init__(self, value: Any, above: int = 0, below: int = 0) -> None:
        self.value = value
        self.above = above
        self.below = below

    @staticmethod
    def of(x: Any) -> "Exact":
        """Return a number as Exact."""
        return x if isinstance(x, Exact) else Exact(MPQ(x))

    def __add__(self, other: Any) -> "Exact":
        if isinstance(other, np.ndarray):
            return NotImplemented
        other = Exact.of(other)
        if self.below == other.below == 0:
            return Exact(self.value + other.value, max(self.above, other.above))
        degree = max(self.above + other.below, other.above + self.below)
        return Exact(self.value + other.value, degree, self.below + other.below)

    def __mul__(self, other: Any) -> "Exact":
        if isinstance(other, np.ndarray):
            return NotImplemented
        other = Exact.of(other)
        return Exact(self.value * other.value, self.above + other.above, self.below + other.below)

    def __truediv__(self, other: Any) -> "Exact":
        if isinstance(other, np.ndarray):
            return NotImplemented
        other = Exact.of(other)
        if other.value == 0:
            raise Inexact("a denominator is zero")
        return Exact(self.value / other.value, self.above + other.below, self.below + other.above)

    def __neg__(self) -> "Exact":
        return Exact(-self.value, self.above, self.below)

    def __sub__(self, other: Any) -> "Exact":
        return NotImplemented if isinstance(other, np.ndarray) else self + -Exact.of(other)

    def __rsub__(self, other: Any) -> "Exact":
        return Exact.of(other) - self

    def __rtruediv__(self, other: Any) -> "Exact":
        return Exact.of(other) / self

    __radd__ = __add__
    __rmul__ = __mul__

    def __pow__(self, other: Any) -> "Exact":
        power = int(other)
        if power != other:
            raise Inexact("a power that is no whole number")
        if power < 0:
            return Exact(MPQ(1)) / self**-power
        return Exact(self.value**power, self.above * power, self.below * power)

    def constant(self) -> MPQ:
        """Return the value where nothing random is in it."""
        if self.above or self.below:
            raise Inexact("what depends on the size of a letter")
        return self.value

    def __int__(self) -> int:
        return int(self.constant())

    def __abs__(self) -> "Exact":
        return Exact(abs(self.constant()))

    def __eq__(self, other: object) -> bool:
        return bool(self.value == Exact.of(other).value)

    def __lt__(self, other: Any) -> bool:
        return bool(self.constant() < Exact.of(other).constant())

    def __gt__(self, other: Any) -> bool:
        return Exact.of(other) < self

    def __le__(self, other: Any) -> bool:
        return not other < self

    def __ge__(self, other: Any) -> bool:
        return not self < other

    # compared by its value alone, it has none: so Python wants it said, and object has one
    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{self.value} of degrees {self.above}, {self.below}"


Direction = tuple[Exact, Exact]  # the cosine and the sine of an angle


# where: change how the random points of a proof are drawn
# exact ones here, those of 50 digits in `eqproof/in_digits.py`; kinks and edges that are looked for: `eqproof/crossings.py`
class ExactPoint:
    """A random point; each letter gets a whole number, and each angle a rational point of the circle, when first met."""

    def __init__(self, seed: int = 0, parts: int = 1, salt: str = "") -> None:
        self.seed = seed
        self.parts = parts
        self.salt = salt
        self.names: dict[str, sympy.Basic] = {}
        self.values: dict[Any, Exact] = {}
        self.circles: dict[sympy.Expr, Direction] = {}
        self.drawn, self.collisions = 0, 0
        self.blind = False  # whether a letter stands for a number or a function, of which more is true

    def number(self, expression: sympy.Expr) -> Exact:
        """Return the value of a SymPy expression here; raise Inexact where it has none."""
        known = self.values.get(expression)
        if known is None:
            known = self.values[expression] = self.compute(expression)
        return known

    def known(self) -> int:
        """Return of how many things the value is known: any of them may be met by a new one that differs from it."""
        return len(self.values) + len(self.circles)

    def compute(self, x: sympy.Basic) -> Exact:
        """Return the value of an expression that is met for the first time."""
        if isinstance(x, LETTERS):
            one_name(self.names, x)
            self.blind |= isinstance(x, sympy.NumberSymbol)
            return self.letter(x)
        if isinstance(x, sympy.Rational | sympy.Float):
            x = sympy.Rational(x)
            return Exact(MPQ(x.p, x.q))
        if isinstance(x, sympy.Add):
            return sum(map(self.number, x.args), Exact(MPQ(0)))
        if isinstance(x, sympy.Mul):
            return self.product(x)
        if isinstance(x, sympy.Pow) and x.exp.is_Integer:
            return self.number(x.base) ** int(x.exp)
        if isinstance(x, sympy.Pow) and x.exp.is_Rational:
            return self.opaque(f"root {x.exp.q}", self.number(x.base)) ** int(x.exp.p)
        if isinstance(x, sympy.sin | sympy.cos):
            return self.circle(x.args[0])[isinstance(x, sympy.sin)]
        if isinstance(x, sympy.tan):
            cosine, sine = self.circle(x.args[0])
            return sine / cosine
        if isinstance(x, sympy.Integral) and x.function.is_polynomial(*(variable for variable, *_ in x.limits)):
            return self.number(x.doit())
        if isinstance(x, sympy.Function) and not isinstance(x, sympy.Piecewise):
            return self.opaque(x.func.__name__, *map(self.number, x.args))
        raise Inexact(f"{type(x).__name__} has no exact number")

    def product(self, x: sympy.Mul) -> Exact:
        """Return the value of a product."""
        result = Exact(MPQ(1))
        for factor in x.args:
            result = result * self.number(factor)
        return result

    def random(self, name: object) -> MPQ:
        """Return a random whole number out of SIZE, the same for the same seed and name."""
        self.drawn += 1
        return MPQ(random.Random(f"{self.salt}{self.seed} {name}").randint(1, SIZE))

    def letter(self, name: sympy.Basic) -> Exact:
        """Return the number of a letter."""
        return Exact(self.random(f"{name} {getattr(name, 'dummy_index', '')}"), 1)

    def opaque(self, name: str, *arguments: Exact) -> Exact:
        """Return the letter that stands for a function of these arguments, whatever the function is."""
        key = (name, *(x.value for x in arguments))
        self.blind = True
        if key not in self.values:
            self.collisions += sum(x.above + x.below for x in arguments) * self.known()
            self.values[key] = Exact(self.random(key), 1)
        return self.values[key]

    def circle(self, angle: sympy.Expr) -> Direction:
        """Return the cosine and the sine of an angle: of a sum by the sums of its terms."""
        if angle not in self.circles:
            cosine = Exact(MPQ(1))
            sine = Exact(MPQ(0))
            for term, times in sympy.expand(angle).as_coefficients_dict().items():
                c, s = self.turn(term, sympy.sympify(times))
                cosine, sine = cosine * c - sine * s, sine * c + cosine * s
            self.circles[angle] = (cosine, sine)
        return self.circles[angle]

    def turn(self, term: sympy.Expr, times: sympy.Expr) -> Direction:
        """Return the cosine and the sine of so many times a term."""
        if not times.is_Rational:
            raise Inexact(f"the angle {times} {term}")
        if term == sympy.pi:
            if (2 * times).is_Integer:
                cosine, sine = ((1, 0), (0, 1), (-1, 0), (0, -1))[int(2 * times) % 4]
                return Exact(MPQ(cosine)), Exact(MPQ(sine))
            raise Inexact(f"the angle {times} pi")
        if term == 1:
            self.blind = True
            term = f"number {times}"
            times = sympy.Integer(1)
        elif not (times * self.parts).is_Integer:
            if times.q > 12:
                raise Inexact(f"the angle {times} {term}")
            raise FinerAngleNeeded(math.lcm(self.parts, times.q))
        elif not (isinstance(term, LETTERS) or term.is_polynomial()):
            value = self.number(term)
            self.collisions += (value.above + value.below) * self.known()
            term = value.value
            self.blind = True
        t = self.random(f"half of the angle {term}")
        c = (1 - t * t) / (1 + t * t)
        s = 2 * t / (1 + t * t)
        cosine = MPQ(1)
        sine = MPQ(0)
        number = int(times * self.parts)
        for _ in range(abs(number)):
            cosine, sine = cosine * c - sine * s, sine * c + cosine * s
        degree = 2 * abs(number)
        return Exact(cosine, degree), Exact(sine if number > 0 else -sine, degree)


def chance(degree: int, points: int) -> float:
    """Return the most that the chance of a false equation to pass at so many points can be."""
    return min(1.0, degree / SIZE) ** points
