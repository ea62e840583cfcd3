"""What the checker of equations cannot read or decide is a sentence that shows the label, the place and what was expected."""

import ast
import traceback
from functools import partial
from pathlib import Path

import pytest
import sympy as sp

import eqproof
from eqproof import Bindings, Chapter, ProofError, abbreviations, check, family, field, quoted
from eqproof.algebra import AnySize
from eqproof.dead_tokens import dead_tokens
from eqproof.errors import NoNumber
from eqproof.inline import compare_numbers, pairs_of_numbers
from eqproof.loose_relations import refuse_never_equal
from eqproof.parser import parse
from eqproof.relations import same_size

LIBRARY = Path(eqproof.__file__).parent
ERRORS = ("ProofError", "Unreadable", "Unbound", "WrongShape", "NoCase", "Misfit", "NotDecided")

x, y, t = sp.symbols("x y t", positive=True)
q, qd = sp.symbols("q_1:4", real=True), sp.symbols("v_1:4", real=True)
TABLE = (
    Bindings()
    .motion(q, qd)
    .bind(
        {
            "a": x,
            "b": y,
            "n": 3,
            "x": x,
            "l_*": [x, y],
            r"\boldsymbol u": [x, y],
            r"\boldsymbol q": q,
            r"\boldsymbol r": [1, 2, 3],
            r"\boldsymbol A": [[x, 1], [2, y]],
            r"\boldsymbol S": [[1, 1], [1, 1]],
            r"\boldsymbol W": [[1, 2, 3], [4, 5, 6]],
            r"\boldsymbol M": field(sp.Matrix([[q[0]]]), q),
            "f": lambda i: i,
            "E_*": lambda i: x * i,
            r"\boldsymbol E": [x, y],
        }
        | abbreviations(q)
    )
)

# An equation, with @ at the place that the caret shows, and the sentence.
SENTENCES = [
    # what cannot be read
    (r"a = @\unknown b", r"\unknown is not known"),
    (r"a = b@)", r"')' is not read here; expected a comma, the end"),
    (r"a =@", "the end is not read here; expected a factor, a sign, an opening brace {"),
    (r"a = \frac{a}{b@", "the end is not read here; expected a closing brace }"),
    (r"\boldsymbol{@a_1 b} = b", "a style must stand around one symbol"),
    (r"\bar{@a + b} = a", r"\bar must stand above one symbol"),
    (r"a = @\sin^{b} b", "a function takes only a positive number as its power: write a fraction or brackets"),
    (r"a = @\ln^{-1} b", "a function takes only a positive number as its power: write a fraction or brackets"),
    (r"a = \lfloor @b \rceil", "a floor and a ceiling do not close each other"),
    (r"a = @\int_{b = 0}^1 b\,da", "the letter below this integral is not that of its differential"),
    (r"a = \int_0^1 da a + @b", "behind an integral that begins with its differential this can be a part of it"),
    (r"a = @b^\circ", r"degrees are read behind a number alone: write \frac{\pi}{180}, or name it by another mark"),
    (r"a = @\left. b + a \right/ b", "what this tall slash divides can be read in two ways: set brackets"),
    (r"a = \left. b \right|_{a = 0}^{@x = 1}", "the bar goes from one letter to another one"),
    (r"a = b @\star b", r"can say a product or a convolution: write \cdot, or name it by a letter"),
    (r"a = @b^2!", "a factorial must stand behind a letter, a number or a bracket"),
    (r"a = @\sin_1 b", "this function takes no subscript"),
    (r"a = @\frac{d}{da}_1 b", "this function takes no subscript"),
    (r"@(a)' = b", "a prime must stand on a symbol"),
    (r"a = @\begin{bmatrix} a = b \end{bmatrix}", "an entry of this matrix is no single expression"),
    (r"a = @\begin{bmatrix} a & b \\ a \end{bmatrix}", "the rows of this matrix have 2, 1 entries"),
    (r"a = @\begin{cases} a \\ b \end{cases}", "each row of cases must hold a value & a condition"),
    (r"\begin{aligned} a &= b \\ & @a \end{aligned}", "a row that goes on must start with a relation or a sign"),
    (r"a_{@!} = b", "'!' is not read in a subscript"),
    (r"F_{1 -@+ 1} = b", "a sign in an index must stand in front of a letter or a number"),
    (r"a@_{2+} = b", "a sign in an index must stand in front of a letter or a number"),
    (r"a = b @\textcolor{white}{b}", r"\textcolor prints in a color that is not seen on every page"),
    (r"a = b @\hspace{-1em} b", r"\hspace goes back over what is printed"),
    (r"a = b @\!\!\! b", r"\! stands so often that what is printed runs into one"),
    (r"a = b @\mathfrak{b}", r"\mathfrak is not known"),
    (r"a = b @\mathllap{b}", r"\mathllap prints over what stands beside it"),
    (r"a = @a(b)", "a takes no argument, and a product needs no brackets: bind it as a field, or drop them"),
    (r"F_{3 -@(1 + 1)} = b", "a sign in an index must stand in front of a letter or a number"),
    (r"a = \frac{d}{@d^2 b} (b^2)", r"the power of a derivative stands on its variable: write \frac{d^2}{dt^2}"),
    (r"a = \partial a / @\partial^2 b", "the power of a derivative stands on its variable"),
    (r"a = b + @\ldots + a", r"\ldots has no value: write what goes on as a sum"),
    (r"a = @\boldsymbol A^2_{12}", r"\boldsymbol A is bound without an index: write an entry as (..)_{12}"),
    (r"a = @E_0", "the index 0 is outside of the family that is bound, 1 and up"),
    (r"a = b @\cdot", "a factor is missing beside this sign"),
    (r"a = \sin @\cdot b", "a function stands here without its argument"),
    (r"a = @\sin", "a function stands here without its argument"),
    (r"a = a @\cdot b \times a", r"a row with both \cdot and \times can be read in two ways: add brackets"),
    (r"a = 1 / a @b", r"what the slash divides by can be read in two ways: write \frac or brackets"),
    (r"a = 2 @3", r"two numbers stand side by side: write \cdot between them"),
    (r"a = \sin @\cos b", "a function of a function needs brackets"),
    (r"a = \sin @(b)^2", "sin(..)^ can be read in two ways: write sin^2(..), (sin(..))^.. or sin((..)^..)"),
    (r"\boldsymbol u = \boldsymbol u + @\dot{\boldsymbol 0}", r"\dot{\boldsymbol 0} is not bound"),
    (r"a = \frac{d (q_1 q_2)}{d @q_1}", r"q_1 is not all that this depends on: write \partial for d"),
    # what two readers could read in two ways
    (r"a = \cos 2 @\tilde a", "cos of a number, or of a product with it: set brackets around what it acts on"),
    (r"a = \sin 2 @(a + b)", "sin of a number, or of a product with it: set brackets around what it acts on"),
    (r"a = \sin\frac12 @b", "what sin acts on can be read in two ways: set brackets around it"),
    (r"a = \sin b \, @a", "what sin acts on can be read in two ways: set brackets around it"),
    (r"a = \sin b @(a + b)", "what sin acts on can be read in two ways: set brackets around it"),
    (r"a = \ln 2 a @b", "what ln acts on can be read in two ways: set brackets around it"),
    (r"a = \exp @a b", "what exp acts on can be read in two ways: set brackets around it"),
    (r"a = \operatorname{tr} @\boldsymbol A \boldsymbol A", "what tr acts on can be read in two ways: set brackets"),
    (
        r"a = \frac{\partial a}{\partial q_1} @(b + 1)",
        "brackets behind a derivative can be its place or a factor: write the factor in front",
    ),
    (r"a = b^2^@3", "two superscripts stand on one thing: set brackets"),
    (r"a = b @{a + b}", "braces and colors are not printed as brackets, and without these it says something else"),
    (r"a = b - @{a - b}", "braces and colors are not printed as brackets, and without these it says something else"),
    (r"a = b - \textcolor{red}@{a - b}", "braces and colors are not printed as brackets, and without these it says"),
    (r"a = @{\sin a} b", "braces and colors are not printed as brackets, and without these it says something else"),
    (r"a = {a b}^@2", "this stands on the last sign only, or on all of it: set brackets"),
    (r"a = \frac{a}{b}^@2", "this stands on the last sign only, or on all of it: set brackets"),
    (r"a = {@l_1}_2", "an index behind braces, which are not printed: set brackets"),
    (r"a = @{a b}_1", "an index behind braces, which are not printed: set brackets"),
    (
        r"a = 2 @\frac{1}{2}",
        r"a number and a fraction can be their sum and their product: write one fraction, or \cdot",
    ),
    (r"a = \sum_{i = 1}^{2} @\sum_{i = 1}^{2} l_i", "i counts in two sums, one in the other: name another index"),
    (r"a = a / b @\cdot a", r"what the slash divides by can be read in two ways: write \frac or brackets"),
    (r"a = \sin @a^2 b", "sin x^.. can be the power of x and of sin x: write sin^2 x, or sin(x^2)"),
    (r"a = \ln @a^2", "ln x^.. can be the power of x and of ln x: write ln^2 x, or ln(x^2)"),
    (r"a = \sin @\dot q_1^2", "sin x^.. can be the power of x and of sin x: write sin^2 x, or sin(x^2)"),
    (r"a = \cos b @a^2", "what cos acts on can be read in two ways: set brackets around it"),
    (r"a = \sin b @\frac{a}{b}", "what sin acts on can be read in two ways: set brackets around it"),
    (r"a = \sin b @\cdot a", "a function of a product, or its product: set brackets"),
    (r"a = @b^1/2", "x^1/2 can be a root and a half: write x^{1/2} or x / 2"),
    (r"a = b@2", "a number behind a letter can be its index and a factor: write it in front, or _{..}"),
    (r"a = @|a| b |a|", r"these bars can be paired in two ways: write \lvert .. \rvert"),
    (r"a = @|a|b|a|", r"these bars can be paired in two ways: write \lvert .. \rvert"),
    (r"a = @|a| b + a |b|", r"these bars can be paired in two ways: write \lvert .. \rvert"),
    (r"a = @\sqrt ab", "of this TeX takes one sign alone, a reader may take more: set braces"),
    (r"a = @\sqrt2a", "of this TeX takes one sign alone, a reader may take more: set braces"),
    (r"a = @\sqrt a^2", "of this TeX takes one sign alone, a reader may take more: set braces"),
    (r"a = @\frac aba", "of this TeX takes one sign alone, a reader may take more: set braces"),
    (r"a = @\frac123", "of this TeX takes one sign alone, a reader may take more: set braces"),
    (r"a = \sum_{i=1}^3 i + @b", "behind a sum this can be a part of it: write it in front, or set brackets"),
    (r"a = b \sum_{i=1}^2 l_i - @l_i", "behind a sum this can be a part of it: write it in front, or set brackets"),
    (r"a = \sum_{i=1}^3 i + @2 a b", "behind a sum this can be a part of it: write it in front, or set brackets"),
    (r"a = \prod_{i=1}^3 i @b", "what this product reaches over can be read in two ways: set brackets"),
    (r"a = \prod_{i=1}^3 i / @2", "what this product reaches over can be read in two ways: set brackets"),
    (r"a = @\left\langle b \right\rangle", r"\left opens a bracket that is not read: write ( [ \{ or |"),
    (r"a = (b @\right\rangle", r"\right closes a bracket that is not read: write ) ] \} or |"),
    (r"a = (b \right.@", "the end is not read here; expected"),
    (r"a = \left. b @\right)", r"'\\right)' is not read here; expected"),
    (r"a = b @c \Big|_{c = 1}", "what this bar takes the value of can be read in two ways"),
    (r"a = \left. b \right|_{@2 b = 1}", "below this bar a letter must be given its value, x = 0"),
    (r"a = @\lim_{b \to 1}^2 b", "a limit takes no superscript"),
    (r"a = @\int^{b}_{c_0} t \, d t", r"write the lower bound first, \int_{t_0}^{t_1}"),
    (r"a = \lim_{@n \to 1} b", "is no letter: nothing goes to a limit"),
    (r"a = \left. b \right|_{@n = 1}", "is no letter that may have another value"),
    (r"a = \oint_0^1 b \cdot d @\boldsymbol u", "is a vector: an integral along a curve is not computed"),
    (r"a = \lim_{b \to 1} b + @b", "behind a limit this can be a part of it"),
    (r"a = @\lim_{b \to 1} \sin(b)", "is not decided: limits of fractions alone are computed"),
    (r"a = @\lim_{b \to 0} \frac{1}{b}", "has no finite limit"),
    (r"a = b @\dagger", r"\dagger is not read up here: write ^\top"),
    (r"a = b @\propto b", r"\propto is no relation that is compared"),
    (r"a = b @\foo b", r"\foo is not known: define it by \newcommand, or write it out"),
    # what is too large
    (r"a = @\sum_{i=1}^{10^{400}} i", "is not decided: sums and products of more than 2000 terms are not computed"),
    (r"a = @\prod_{i=1}^{\max(4, 10^{21})} b", "is not decided: sums and products of more than 2000 terms are not"),
    (r"a = @b^{10^{21}}", "is not decided: a power of more than 10000 is not computed"),
    (r"a = @\boldsymbol A^{10^9}", "is not decided: a power of more than 10000 is not computed"),
    (r"a = 1 + @\dots + 10^{21}", r"\dots is not decided: dots for more than 10000 terms are not spelled out"),
    (r"a = @0^0", "0^0 has no value that all agree on"),
    (
        r"\boldsymbol r = @\boldsymbol r \times \boldsymbol r \times \boldsymbol r",
        "which product comes first can be read in two ways: set brackets",
    ),
    (
        r"a = @\boldsymbol A \boldsymbol u \times \boldsymbol u",
        "which product comes first can be read in two ways: set brackets",
    ),
    (r"a = \sin b @/ 2", r"a function of a quotient, or its quotient: write \frac or brackets"),
    (r"a = \sin @(b)^{-1}", "sin(..)^ can be read in two ways: write sin^2(..), (sin(..))^.. or sin((..)^..)"),
    (r"a = \operatorname{tr} @(\boldsymbol A)^{-1}", "tr(..)^ can be read in two ways: write tr^2(..), "),
    (r"a = @\frac{d}{dt} a (b + 1)", "what this derivative acts on can be read in two ways: add brackets"),
    (
        r"a@^T = a",
        r"^T can be read as a transpose and as a power: write ^\top, or another letter",
    ),
    (
        r"a^{@T} = a",
        r"^T can be read as a transpose and as a power: write ^\top, or another letter",
    ),
    (r"a = @A^{-1}_{12}", "an index behind a superscript can be read in two ways: write (..^..)_.. or .._..^.."),
    (r"a = @A_{12}^{-1}", "^{-1} on an entry can be read in two ways: write 1 / .. or (..^{-1})_.."),
    (r"a = b^{@(1)}", "a bracket up here can be read as a power and as a name: write a power without it"),
    (r"a = @f^{-1}(2)", "^{-1} in front of arguments can be read as 1/f and as the inverse function: write one"),
    (r"a = @\begin{array} a & b \\ b & a \end{array}", r"\begin is not known"),
    (r"a = @\pm b", "says two things at once: write an equation for each sign"),
    (r"a = \frac a@12 b", "of this number TeX takes the first digit alone: set braces"),
    (r"a = (b)@^+", "a sign up here belongs to the name of one symbol"),
    (r"a = b + 1 + @\dots + 1.5", r"\dots has no value: write what goes on as a sum"),
    (r"n = 1 + 3 + @\dots + 8", r"\dots in a sum must go on as the terms before it do, up to the one behind"),
    (r"n = @\dots + 8", r"\dots has no value"),
    (
        r"a = \begin{cases} a & @\text{unless } a < b \end{cases}",
        "the word 'unless' is not read: only if and otherwise are",
    ),
    (
        r"a = @\begin{cases} a & \text{if } a > 0 \\ b & \text{if } b > 0 \end{cases}",
        "more than one of these cases holds",
    ),
    (r"a = @\operatorname{tr} \boldsymbol 1", "the trace of an identity depends on its size, which nothing here tells"),
    (r"a = @\sum_{i = 1}^{3}", "nothing stands behind this sum or integral"),
    (r"a = \int_{0}^{1} @b", "an integral must end in its differential, such as d t"),
    (r"a = @\sum_{i}^{3} b", "the index of a sum must be given as i = 1 below it"),
    (r"a = @\prod_{i,j=1}^{2} b", "a product over several indices is not read: write one in the other"),
    (r"a = \int_{x, @y} b", "an integral has one place below it"),
    (r"a = @\sum_{1 < 2} b", "the index of a sum must be given as i = 1, i < j"),
    (r"a = @\sum_{i < j, j < i} l_i l_j", "the index of a sum must be given as i = 1, i < j"),
    (r"a = @\sum_{i = 1, i = 2} l_i", "the index of a sum must be given as i = 1, i < j"),
    (r"a = @\sum_{i \le 3, i \le 2} l_i", "the index of a sum must be given as i = 1, i < j"),
    (r"a = @\sum_{2 \le i, 1 \le i} l_i", "the index of a sum must be given as i = 1, i < j"),
    (r"a = @\sum_{i \le 2, i \approx 3} l_i", "the index of a sum must be given as i = 1, i < j"),
    (r"a = @\sum_{i \le 4, i \ne 2, i \ne 3} l_i", "an index that leaves out two values is not read: write two sums"),
    (r"a = \sum_{i < j} @\sum_{j = 1}^{2} l_i l_j", "j counts in two sums, one in the other: name another index"),
    (r"a = \sum_{\substack @i < 2} b", "takes its rows in braces"),
    (
        r"a = \underbrace{@b}_{= 0} c",
        "what is claimed below this brace is not compared: write an equation of its own",
    ),
    (
        r"a = @\underbrace{b}_a c",
        r"what stands below this brace is not compared: write words, \text{..}, or an equation of its own",
    ),
    (r"a @\overset{\text{not}}{=} b", "\\overset says above a sign what is not compared: only def and the number"),
    (r"a @\stackrel{b = 1}{=} b", "\\stackrel says above a sign what is not compared: only def and the number"),
    (r"a = b @\tag{$= 0$}", "\\tag holds a formula, which is not compared: write a number or a name"),
    (r"a = @\frac{d^2 a}{d t}", "the orders above and below in this derivative differ"),
    (r"a = \frac{d^{@n} a}{d t}", "the order of a derivative must be a number"),
    (
        r"a = \frac{\partial a}{@\partial q_1 q_2}",
        "the denominator of a derivative must be a row such as \\partial q_i \\partial q_j",
    ),
    (r"a = @\frac{d}{dt}", "nothing stands behind this derivative"),
    (r"a = @\frac{d}{dt} a b", "what this derivative acts on can be read in two ways: add brackets"),
    # what claims nothing
    (r"\boldsymbol u = \begin{bmatrix} @\boldsymbol u \end{bmatrix}", "stands on both sides: this says nothing"),
    (r"@a + b", "this claims nothing: there is no relation in it"),
    (r"a = @a", "a stands on both sides: this says nothing"),
    # what is not bound
    (r"a = 2 @\dot z_2", r"\dot z_2 is not bound"),
    (r"a = @u", r"u is not bound; bound are \boldsymbol u"),
    (r"a = \frac{\partial a}{\partial @t}", "the time t is not bound: give it to motion(q, qd, qdd, t=t)"),
    (r"a = @\int a \, d m", "an integral without bounds needs a measure bound as dm"),
    (r"a = @\operatorname{foo}(b)", "the function foo is not known and not bound"),
    (r"a = @\boldsymbol A^{\wedge}", "has a superscript that means nothing here"),
    # what does not fit
    (r"\boldsymbol W = @\boldsymbol W + \boldsymbol 1", "an identity must be square, here it would be 2 x 3"),
    (r"\boldsymbol u = @\boldsymbol A + \boldsymbol u", "the sizes differ: 2 x 2 and 2 x 1"),
    (r"\boldsymbol u = @\boldsymbol u \boldsymbol A", "a matrix 2 x 1 cannot multiply one of 2 x 2"),
    (r"a = @\frac{a}{\boldsymbol u}", "only a scalar can divide, here stands 2 x 1"),
    (r"a = @\frac{a}{b - b}", "the denominator is zero"),
    (r"a = @\boldsymbol A^0", "the power of a matrix must be 1 or more: write (..^{-1})^2"),
    (r"a = @\max(b)", "max takes another number of arguments than 1"),
    (r"a = @\operatorname{diag}(a, b)", "diag takes another number of arguments than 2"),
    (r"a = @\boldsymbol u \cdot \boldsymbol r", r"\cdot needs vectors of one length, here stand 2 x 1 and 3 x 1"),
    (r"a = @\boldsymbol A \cdot \boldsymbol A", r"\cdot needs vectors, here stand 2 x 2 and 2 x 2"),
    (
        r"a = @\boldsymbol u \times \boldsymbol r",
        r"\times needs two vectors of the plane or of space, here stand 2 x 1 and 3 x 1",
    ),
    (r"\boldsymbol A = @[\boldsymbol u]_\times", r"[..]_\times needs a vector of space, here stands 2 x 1"),
    (r"\boldsymbol r = @\boldsymbol A^\vee", r"^\vee needs a 3 x 3 matrix, here stands 2 x 2"),
    (r"a = @\det \boldsymbol W", r"\det needs a square matrix, here stands 2 x 3"),
    (
        r"a = @\begin{bmatrix} \boldsymbol u & \boldsymbol r \end{bmatrix}",
        "the blocks of this matrix do not fit together",
    ),
    (r"a = @l_3", "the index 3 is outside of the list that is bound, of 2"),
    (r"a = @A_{13}", "[1, 3] is no place in a matrix of 2 x 2"),
    (r"a = \frac{\partial a}{\partial @(a b)}", "(a b) is no variable: there is no derivative by it"),
    (
        r"a = \frac{\partial \boldsymbol A}{\partial @\boldsymbol q}",
        "only a scalar or a vector has a derivative by a vector",
    ),
    (r"a = @\sum_{i = 1} a", "this sum or product has no upper bound"),
    (
        r"a = \begin{cases} a & @a \approx b \\ b & \text{otherwise} \end{cases}",
        r"the relation \approx is no condition",
    ),
    (r"a = @\begin{cases} a & x < 0 \end{cases}", "none of these cases holds"),
    (r"a = @\sin(a, b)", "sin takes another number of arguments than 2"),
    (r"a = \sin @\boldsymbol u", "the argument of sin must be a scalar, here stands 2 x 1"),
    (r"a = \sum_{i = 1}^{@a} i", "a bound must be a whole number, got "),
    (r"a = @f + 1", "f is bound to a function: brackets with its arguments must follow"),
    (r"a = @\boldsymbol M(a)", r"\boldsymbol M takes 3 arguments, here stand 1"),
    (r"a = f(@\dots, a)", "dots must stand between two symbols with an index"),
    (r"a = @\boldsymbol S^{-1}", "this matrix has no inverse"),
    (r"a = b @(a, b)", "this list is no argument of anything: bind the symbol in front as a field or a function"),
    (r"a = @c_{21}", "the numbers of its angles must rise, got 2, 1"),
    (r"a = @(a)_1", "_{1} needs a matrix in front and numbers as indices"),
    (r"a = @(\boldsymbol A)_{31}", "[3, 1] is no place in a matrix of 2 x 2"),
    (r"a = @\lVert \boldsymbol A \rVert", "bars need a scalar or a vector, here stands 2 x 2"),
    (r"a = @E_2", "E_2 can be read in two ways, as an entry and as a family: bind it by itself"),
    # what cannot be decided
    (r"a \approx @b c_1 + 2 \cdot 3", r"\approx needs a number beside it, or a stated tolerance"),
    (r"a \approx @-a b^2", r"\approx needs a number beside it, or a stated tolerance"),
    (r"a \in @b", r"\in is read with \mathbb R^n or \mathbb R^{n \times m} only"),
]


def said(action):
    """The ProofError that an action ends in."""
    with pytest.raises(ProofError) as caught:
        action()
    return caught.value


@pytest.mark.parametrize(("marked", "words"), SENTENCES, ids=[words[:40] for _, words in SENTENCES])
def test_a_sentence_shows_the_place(marked, words):
    """The error names the label, the line and the column, quotes the line with a caret below it, and says what is wrong."""
    text = marked.replace("@", "")
    error = said(lambda: check(text, TABLE, label="eq-x"))
    first, line, caret = str(error).split("\n")
    assert words in error.sentence
    assert first == f"eq-x, line 1, column {marked.index('@') + 1}: {error.sentence}"
    assert line == f"    {text}"
    assert caret == "    " + " " * marked.index("@") + "^"


def two_digits():
    """Twelve angles: s_{12} may be the sine of the twelfth, or of the sum of the first two."""
    return check("s_{12} = a", {"a": 1} | abbreviations(sp.symbols("q_1:13")))


def page(folder, equations, proofs):
    """A page with these equations and its proofs, which see the chapter; return the chapter."""
    (folder / "proofs").mkdir(exist_ok=True)
    (folder / "proofs" / "page.py").touch()
    (folder / "page.md").write_text(
        "\n\n".join(f"$$ {text} $$ ({label})" for label, text in equations.items()), encoding="utf-8"
    )
    chapter = Chapter(folder / "proofs" / "page.py")
    proofs(chapter)
    return chapter


def of_numbers(text):
    """Compute the relations of numbers in a text."""
    return [compare_numbers(*pair) for pair in pairs_of_numbers(parse(text).chains)]


# What is said of bindings and claims, without a place in an equation.
OTHERS = {
    "is nowhere equal to the side before it: write <, or try it where it is": lambda: refuse_never_equal(
        parse(r"-a \le b"), [(TABLE, {})]
    ),
    r"only a letter is declared symmetric, such as \boldsymbol I_*, got 'a b': name the matrix by a letter": lambda: (
        dead_tokens(parse("a = b"), [(TABLE, {})], ["a b"])
    ),
    "the stars of a family must come last in its key": lambda: Bindings({r"\Gamma_{*i}": [x, y]}),
    "c is bound as an abbreviation and as a family: begin with an empty table": lambda: Bindings(
        abbreviations(q) | {"c_*": [x, y]}
    ),
    "its subscript can be read as 1, 2 and as 12": two_digits,
    "a binding must be a scalar, a vector or a matrix, got an array of shape (1, 1, 1)": lambda: Bindings(
        {"a": [[[1]]]}
    ),
    "'a = b' must be one expression without a relation": lambda: Bindings({"a = b": 1}),
    "free indices need their numbers, such as {'k': 3}, or the sizes n; got {'k': None}": lambda: check(
        "a = b",
        TABLE,
        each={"k": None},  # type: ignore[dict-item]
    ),
    "a claim must be tried at one point at least, got points=0": lambda: check("a = b", TABLE, points=0),
    "two symbols of SymPy are called x: give them the same assumptions, or two names": lambda: check(
        "a = b", {"a": x, "b": sp.Symbol("x", real=True)}
    ),
    "the index 3 is outside of the family that is bound, 1 to 2": lambda: check(
        r"a = \sum_{i=1}^{3} F_i", {"a": 1, "F_*": family(2, lambda i: x * i)}
    ),
    "the text says 3.2, computed is 3.1": lambda: quoted({"3.2": 3.14159}),
    "both sides are bound to the same object: this proves nothing": lambda: check(
        r"\boldsymbol b = \boldsymbol d", Bindings(dict.fromkeys((r"\boldsymbol b", r"\boldsymbol d"), sp.eye(2)))
    ),
    r"the relation \succ is not computed": lambda: of_numbers(r"4 \succ 3"),
    "v is a rate, which has both signs, and is bound to what is never negative": lambda: Bindings().motion(
        [x], [sp.Symbol("v", positive=True)]
    ),
    r"\dot a is a rate, which has both signs, and is bound": lambda: Bindings({r"\dot a": x}),
    "is zero, for nothing says that x varies: give it to motion(q, qd, t=t), or bind the rate": lambda: check(
        r"\dot a = 0", TABLE
    ),
    "is the rate of what is bound to numbers, which do not move": lambda: check(r"\ddot n = 0", TABLE),
    "the length of an identity depends on its size": lambda: check(r"\|\boldsymbol 1\| = a", TABLE),
    "the determinant of an identity depends on its size": lambda: check(r"\det(2 \boldsymbol 1) = 2", TABLE),
    r"\dot{\boldsymbol M} with brackets can be the rate at a place and a product": lambda: check(
        r"\dot{\boldsymbol M}(\boldsymbol 0) = 0", TABLE
    ),
    "a number behind an index or a power can belong to it": lambda: check("b = a^12", TABLE),
    "a space in a row can be read as a product": lambda: check(r"\boldsymbol u = [a \ b]^\top", TABLE),
    "a + 0 is the side before it by its form alone": lambda: check("a = a + 0", TABLE),
    "this is not true by its form alone": lambda: check("2 a = a + a", TABLE, trivial=True),
    "x > 0 is a condition on a letter that is free": lambda: check(
        r"2 a = a + a, \qquad x > 0", {"a": x, "x": sp.Symbol("w", real=True)}
    ),
    "a multiple of the identity is no number": lambda: same_size(
        (AnySize(2), 2), parse(r"2 \boldsymbol 1 = 2").chains[0].sides
    ),
    "is not decided: SympifyError": lambda: check("f(1) = a", {"a": x, "f": lambda i: object()}),
    "is not decided: a factorial of more than 2000 is not computed": lambda: check(
        r"\frac{d}{da} (a \cdot (10^9)!) = 1", {"a": sp.Symbol("a", real=True)}
    ),
    "is not decided: a sum of so many rates is not computed": lambda: check(
        r"\sum_{i=1}^{300} \sum_{j=1}^{300} \dot a = 0", TABLE
    ),
    r"no number is known for the condition": lambda: check(
        "F = 1", {"F": sp.Piecewise((1, sp.Contains(x, sp.Interval(0, 9))), (0, True))}
    ),
    "I is no real number": lambda: of_numbers(r"\sqrt{-1} = 1"),
}


@pytest.mark.parametrize("words", OTHERS)
def test_a_binding_that_cannot_be_is_named(words):
    """A table that contradicts itself, and a claim without a size, end in a sentence."""
    assert words in said(OTHERS[words]).sentence


# What is said of definitions, in the Result of the chapter: the equation, the sentence.
DEFINITIONS = {
    "a definition must be of the form name = value": "a < 1",
    "b is not bound": "a = b",
    "a is bound already: prove it, this defines nothing": "a = 2",
}


@pytest.mark.parametrize("words", DEFINITIONS)
def test_a_definition_that_defines_nothing_fails(words, tmp_path):
    """The Result is a failure that carries the sentence."""
    chapter = page(
        tmp_path,
        {"eq-x": DEFINITIONS[words]},
        lambda chapter: chapter.define("eq-x", "why", {"a": 1} if "already" in words else None),
    )
    (result,) = chapter.run()
    assert result.kind == "failed" and words in result.how and result.how.startswith("eq-x, line 1, column ")


def bind_a_product(chapter):
    chapter.define("eq-x", "why", {"b": y}, let=True)
    chapter.prove("eq-y", by="nothing")


def bind_what_fails_later(chapter):
    chapter.define("eq-x", "why", {r"\boldsymbol u": [x, y]}, each={"i": 2}, let=True)
    chapter.prove("eq-y", {r"\boldsymbol u": [x, y]}, by="nothing")


def test_a_definition_binds_a_name_only(tmp_path):
    """What is no symbol cannot be bound; the equation that would use it shows where that stands."""
    chapter = page(tmp_path, {"eq-x": "2 a = b", "eq-y": "a = 1"}, bind_a_product)
    assert "eq-x, line 1, column 1: 2 a is no symbol: a definition cannot bind it" in chapter.run()[1].how


def test_an_error_in_a_definition_shows_the_definition(tmp_path):
    """Not the place in the equation that uses it."""
    chapter = page(tmp_path, {"eq-x": "a_i = u_{i + 1}", "eq-y": "a_2 = 1"}, bind_what_fails_later)
    assert chapter.run()[1].how.startswith("eq-y: eq-x, line 1, column 7: [3] is no place in a matrix of 2 x 1")


def test_proofs_need_a_page(tmp_path):
    """A file of proofs is named after its page."""
    (tmp_path / "proofs").mkdir()
    with pytest.raises(FileNotFoundError, match=r"lost\.py must be named after a page in .*: there is no lost"):
        Chapter(tmp_path / "proofs" / "lost.py")


def raises():
    """Where the engine raises a sentence: {(file, last line)} for each raise or refuse(...) with a text."""
    found = {}
    for path in sorted(LIBRARY.glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf8"))):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            if node.func.id in (*ERRORS, "refuse") and any(
                isinstance(x, ast.JoinedStr | ast.Constant) for x in node.args
            ):
                found[path.name, node.lineno] = node.end_lineno
    return found


def test_each_sentence_of_the_engine_has_a_case(tmp_path):
    """A new sentence without a test fails here, by its file and line."""
    errors = [said(partial(check, marked.replace("@", ""), TABLE)) for marked, _ in SENTENCES]
    errors += [said(action) for action in OTHERS.values()]
    page(tmp_path, {"eq-x": "a < 1"}, lambda chapter: chapter.define("eq-x", "why"))
    places = {(Path(f.filename).name, f.lineno) for e in errors for f in traceback.extract_tb(e.__traceback__)}
    elsewhere = {
        "chapter.py",
        "checked.py",
        "commuting.py",
        "drawn_sizes.py",
        "ellipses.py",
        "declarations.py",
        "declared_letters.py",
        "laws_of_motion.py",
        "inputs_of_laws.py",
        "opaque_values.py",
        "where_letters_stand.py",
        "in_matrices.py",
        "structures.py",
        "checked_steps.py",
        "judging.py",
        "input_limits.py",
        "matrix_readings.py",
        "notations.py",
        "notebooks.py",
        "own_commands.py",
        "comparison.py",
        "conventions.py",
        "sources.py",
        "meaning.py",
        "binding_layers.py",
        "ledger_files.py",
        "project.py",
        "unit_tables.py",
        "units.py",
    }  # their sentences are told in results: tested above, in test_units, test_free, test_traps, test_declarations, test_odd_files and test_proofs
    assert len(raises()) > 50
    missing = [
        f"{name}:{start}"
        for (name, start), end in raises().items()
        if name not in elsewhere and not any((name, line) in places for line in range(start, end + 1))
    ]
    assert not missing


COMPLEX = {
    r"i^2 = -1": "I is complex: only real numbers are checked",
    r"\sqrt{n} = a": r"\sqrt{n} is complex: only real numbers are checked",
    r"\ln n = a": r"\ln n is complex: only real numbers are checked",
    r"\boldsymbol z = \boldsymbol z + \boldsymbol 0": "I is complex: only real numbers are checked",
    r"w < a": "is complex: only real numbers are checked",
}


@pytest.mark.parametrize("line", COMPLEX)
def test_complex_numbers_are_refused_in_a_sentence(line):
    """Whether a letter stands for one or a root or a logarithm gives one."""
    a = sp.Symbol("a", positive=True)
    letters = {"i": sp.I, "n": -2, "a": a, r"\boldsymbol z": sp.Matrix([sp.I, a]), "w": sp.sqrt(-a - 3)}
    with pytest.raises(NoNumber) as refusal:
        check(line, letters)
    assert COMPLEX[line] in str(refusal.value)
