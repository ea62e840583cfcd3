r"""The page docs/notation.md: what the grammar reads, each construct with an example. `python packages/eqproof/tests/notation_page.py` writes it.

The words and the examples stand here; which commands a construct has comes from the grammar, and a construct of the grammar
without an example fails a test.
"""

import re
from contextlib import suppress
from pathlib import Path

from lark import UnexpectedInput

from eqproof.alternative_readings import struck_texts
from eqproof.package_commands import with_package_commands
from eqproof.parser import LARK
from eqproof.typesetting import with_plain_typesetting
from eqproof.unicode_signs import with_commands
from eqproof.words_in_formulas import prepare_formula, with_words_as_names

PAGE = Path(__file__).parents[1] / "docs" / "notation.md"
PRO, UND = "proven", "undecided"
REPLACED = {
    "BAR",
    "NORM",
    "LNULL",
    "RNULL",
    "LALIGNED",
    "RALIGNED",
    "SUBSTACK",
}  # by other signs, before the grammar sees them
Row = tuple[str, str, str]  # (in words, a line as it is printed, what becomes of its last step)
SECTIONS: dict[str, tuple[tuple[str, ...], list[Row]]] = {  # title: (terminals whose commands are listed, rows)
    "Letters and numbers": (
        ("GREEK", "STYLE", "ACCENT"),
        [
            ("numbers", r"0.5 + 1.25 = 1.75", PRO),
            ("thousands", r"10^6 = 1{,}000{,}000", PRO),
            ("letters and Greek letters", r"a \alpha = \alpha a", PRO),
            ("indices", r"x_1 - m_{\text{max}} = -(m_\mathrm{max} - x_1)", PRO),
            ("styles", r"\mathrm{T} \mathcal{L} = \mathcal L \mathrm T", PRO),
            (
                "a number in bold, the matrix of ones on the diagonal",
                r"\boldsymbol 1 \boldsymbol A = \boldsymbol A",
                PRO,
            ),
            ("several letters as one name", r"x_\mathrm{ab} \mathit{Re} = \mathit{Re}\, x_\mathrm{ab}", PRO),
            ("accents", r"2 \bar x + \tilde x = \tilde x + \bar x + \bar x", PRO),
            ("an accent above an index, too", r"\overline{x_1} + a = a + \overline{x_1}", PRO),
            ("primes", r"f' + x'' = x'' + f'", PRO),
            ("an index above, in front", r"{}^0 p + a = a + {}^0 p", PRO),
            ("a sign as an index above", r"x^+ - x^- = -x^- + x^{+}", PRO),
        ],
    ),
    "Sums, products, powers": (
        (),
        [
            ("sums, differences, factors side by side", r"-a (b - c) = a c - a b", PRO),
            ("signs of products", r"a \cdot b / c = \frac{a b}{c}", PRO),
            ("crosses between numbers", r"2 \times 10^3 = 2000", PRO),
            ("powers", r"(x^{n})^2 x^n = x^{3 n}", PRO),
            ("powers of one sign", r"x^2 x^a = x^{2 + a}", PRO),
            ("fractions", r"\frac{a}{b} + \tfrac12 = \frac{2 a + b}{2 b}", PRO),
            ("fractions with a line between", r"{a + b \over 2} = \frac{a + b}{2}", PRO),
            ("fractions of one sign each", r"\frac a b = \frac{a}{b}", PRO),
            ("roots", r"\sqrt{x^2} = |x|", PRO),
            ("other roots, roots of one sign", r"\sqrt[3]{8} + \sqrt 4 = 4", PRO),
            ("factorials", r"4! = 24", PRO),
            ("binomial coefficients", r"\binom{n}{2} = \frac{n (n-1)}{2}", PRO),
            ("all kinds of brackets", r"\left[ (a + b) + c \right] d = d \bigl\{ (a + b) + c \bigr\}", PRO),
            ("braces, which are not seen", r"{a + b} = b{} + {a}", PRO),
            ("bars", r"|{-x}| = \lvert x \rvert", PRO),
            ("norms, a letter of their own", r"2 \| v \| = \lVert v \rVert + \| v \|", PRO),
            ("a value less another one", r"\left. \frac{x^3}{3} \right|_{x=0}^{x=2} = \frac{8}{3}", PRO),
            ("degrees", r"\sin 30^\circ = \cos 60^{\circ} = \frac{1}{2}", PRO),
            ("a star between numbers", r"2 \ast 3 * 4 = 24", PRO),
            ("numbers with units, which are converted", r"36\,\mathrm{km/h} = 10\,\mathrm{m/s}", PRO),
            ("quantities of siunitx", r"\SI{2}{\kilo\metre} + \qty{1}{m} = \num{2.001e3}\,\mathrm{m}", PRO),
            ("decimal commas", r"1{,}5 \cdot 2 = 3", PRO),
            ("ratios", r"2 : 3 = \frac{2}{3}", PRO),
            ("indices above in brackets, which are no powers", r"x^{(1)} - x^{(2)}_j = -x^{(2)}_j + x^{(1)}", PRO),
            ("terms that cancel, with them and without them", r"\frac{\cancel{x} (x + 1)}{\cancel{x}} = x + 1", PRO),
            ("both signs", r"(a \pm b)^2 = a^2 \pm 2 a b + b^2", PRO),
        ],
    ),
    "Functions": (
        ("FUNC",),
        [
            ("functions", r"\sin 2 x = 2 \sin x \cos x", PRO),
            ("powers of functions", r"\sin^2 x + \cos^2 x = 1", PRO),
            ("functions that are set upright", r"\mathrm{sin}(2 x) = 2 \sin x \cos x", PRO),
            ("other functions by their name", r"\operatorname{sinc}(x) + 1 = 1 + \operatorname{sinc}(x)", PRO),
            ("functions of any name, a letter for each argument", r"f(x) + f(y) = f(y) + f(x)", PRO),
            ("inverse functions", r"\tan(\tan^{-1} x) = x", PRO),
            ("logarithms to a base", r"\log_2 8 = 3 = \lg 1000", PRO),
            ("whole parts of numbers", r"\left\lfloor \frac{7}{2} \right\rfloor = 3 = \lceil 2.1 \rceil", PRO),
            ("derivatives and brackets of physics", r"\dv[2]{x} \qty(x^3) = \pdv{(3 x^2)}{x} = 6 x", PRO),
            ("several arguments", r"g(x, y) - g(x, y) = 0", PRO),
            ("the largest of several", r"\max(a, b) = \frac{a + b + |a - b|}{2}", PRO),
            ("probabilities with a condition", r"P(A \mid B) E[X | Y] = E[X \mid Y] P(A | B)", PRO),
        ],
    ),
    "Sums over an index, limits, derivatives, integrals": (
        ("BIG",),
        [
            ("sums and products", r"\sum_{i=1}^4 i + \prod_{k=1}^3 k = 16", PRO),
            ("the upper limit first", r"\sum^4_{i=1} i = \sum^{2 + 2}_{i=1} i", PRO),
            ("limits above and below", r"\sum\limits_{i=1}^3 a_i = a_1 + a_2 + a_3", PRO),
            ("sums to a number of which nothing is said", r"\sum_{i=1}^n i = \frac{n (n+1)}{2}", PRO),
            ("sums over pairs", r"(\sum_i a_i)^2 = \sum_i a_i^2 + 2 \sum_{i<j} a_i a_j", PRO),
            (
                "bounds of several indices",
                r"\sum_{1 \le i < j \le n} a_i a_j = \sum_{j=2}^n \sum_{i=1}^{j-1} a_i a_j",
                PRO,
            ),
            ("conditions in rows", r"\sum_{\substack{j = 1 \\ j \ne 1}}^n a_j = -a_1 + \sum_{j=1}^n a_j", PRO),
            ("dots in a sum", r"1 + 2 + \dots + n = \frac{n (n+1)}{2}", PRO),
            ("dots in a product", r"x_1 x_2 \cdots x_n = \prod_{i=1}^n x_i", PRO),
            ("limits of fractions", r"\lim_{h \to 0} \frac{(x+h)^2 - x^2}{h} = 2 x", PRO),
            ("derivatives", r"\frac{d}{dx} (x^2) = 2 x", PRO),
            ("partial derivatives", r"\frac{\partial}{\partial x} (a x^2) = 2 a x", PRO),
            ("integrals", r"\int_0^a 2 x\,dx = a^2", PRO),
            ("dots, rates of what is declared", r"\dot x + \ddot x = \ddot x + \dot x", PRO),
            ("values at a place", r"\left. x^2 \right|_{x = b} = b^2", PRO),
            ("values at a place, behind a fraction", r"\frac{x}{2} \Big|_{x = 4} = 2", PRO),
            ("values between two places", r"\int_0^a 2 x\,dx = \left[ x^2 \right]_0^a", PRO),
        ],
    ),
    "Vectors and matrices": (
        ("LMATRIX",),
        [
            (
                "matrices with their entries",
                r"\begin{bmatrix} a & b \\ c & d \end{bmatrix} \begin{pmatrix} 1 \\ 0 \end{pmatrix}"
                r" = \begin{bmatrix} a \\ c \end{bmatrix}",
                PRO,
            ),
            ("determinants", r"\begin{vmatrix} a & b \\ c & d \end{vmatrix} = a d - b c", PRO),
            ("transposes", r"(A B)^\top = B^\top A^\top", PRO),
            ("inverses and their transposes", r"(\boldsymbol A^{-1})^\top = \boldsymbol A^{-\top}", PRO),
            (
                "cross products, the cross matrix",
                r"\mathbf a \times (\mathbf b \times \mathbf c) = \mathbf b (\mathbf a \cdot \mathbf c) - \mathbf c (\mathbf a \cdot \mathbf b)",
                PRO,
            ),
            ("stars", r"z^* + z^{*} = 2 z^*", UND),
            ("vees and hats of matrices", r"S^\vee + S^{\vee} = 2 S^\vee", UND),
            ("the size of a vector, in a book alone", r"\boldsymbol x \in \mathbb R^n", UND),
            ("dots in a list", r"a_1, \dots, a_n = a_n", PRO),
            ("an empty place", r"M(\cdot) = M(\cdot)", PRO),
        ],
    ),
    "Relations and rows": (
        ("REL",),
        [
            ("chains", r"a + a = 2 a = \frac{4 a}{2}", PRO),
            ("other relations, which are read and not compared", r"a < b", UND),
            ("several claims", r"a + a = 2 a, \qquad b b = b^2", PRO),
            ("a list of letters", r"x, y \ge 0, \quad \sqrt{x^2 y^2} = x y", PRO),
            ("cases", r"|x| = \begin{cases} x & \text{if } x > 0 \\ -x & \text{otherwise} \end{cases}", PRO),
            (
                "systems of lines behind a brace",
                r"\left\{ \begin{array}{rcl} a + a &=& 2 a \\ b &=& b + 0 \end{array} \right.",
                PRO,
            ),
            ("what is said above a sign", r"a + b \stackrel{!}{=} b + a \overset{\text{IBP}}{=} a + b", PRO),
            (
                "boxes, lines below, braces above",
                r"\fbox{$a + b$} = \overbrace{b + a}^{\text{sum}} = \underline{a + b}",
                PRO,
            ),
            ("words between formulas", r"a = a + b - b \text{ and } b = b + a - a", PRO),
            ("an equation that is so by definition", r"f := f + 0", PRO),
            (
                "aligned lines, also with what stands below",
                r"\begin{aligned} a + b &= b + a \\ &= \underbrace{a}_{\text{first}} + b \end{aligned}",
                PRO,
            ),
            ("lines that go on", r"\begin{aligned} (a + b)^2 &= a^2 + 2 a b \\ &\quad + b^2 \end{aligned}", PRO),
            ("colors, spaces, numbers of equations", r"\textcolor{red}{a} \, b = \hspace{1em} b a \tag{3}", PRO),
            ("what changes only the look", r"a \mathbin{+} \mathstrut b {=} b + \mkern3mu a\relax", PRO),
            ("synonyms of TeX", r"x\sp 2 + \root 3 \of {8} = 2 + \lparen x^2\rparen", PRO),
            ("signs of Unicode", r"α² · ½ = \frac{\alpha^2}{2}", PRO),
            ("points and commas at the end", r"a b = b a.", PRO),
        ],
    ),
}


def rows() -> list[Row]:
    """Return all rows of the page."""
    return [row for _, found in SECTIONS.values() for row in found]


def commands(terminal: str) -> list[str]:
    """Return the commands, or names of environments, that a terminal of the grammar reads."""
    pattern = next(x.pattern.value for x in LARK.terminals if x.name == terminal)
    pattern = re.sub(r"\[bpB\]\?matrix", "matrix|bmatrix|pmatrix|Bmatrix", pattern)
    pattern = (
        pattern.replace(r"(\\(no)?limits)?", "")
        .replace("o?int", "int|oint")
        .replace("leq?", "le|leq")
        .replace("geq?", "ge|geq")
        .replace("neq?", "ne|neq")
    )
    pattern = re.sub(r"\(\?!.*?\)|\[[^\]]*\]\+?|\\s\*?", "", pattern)
    pattern = re.sub(r"([a-zA-Z]+)\(\?:([a-zA-Z|]+)\)", lambda m: "|".join(m[1] + x for x in m[2].split("|")), pattern)
    environments = r"begin" in pattern
    words = re.findall(r"[a-zA-Z]{2,}", pattern)
    return [x if environments else rf"\{x}" for x in dict.fromkeys(words) if x not in ("begin", "end", "limits")]


def constructs() -> tuple[set[str], set[str]]:
    """Return the names of the rules that trees have, and of the terminals, of the grammar."""
    rules = {str(x.alias or x.origin.name) for x in LARK.rules if x.alias or not x.options.expand1}
    signs = {x.name for x in LARK.terminals} - REPLACED
    return {x for x in rules if not x.startswith("_")}, signs


def used(latex: str) -> tuple[set[str], set[str]]:
    """Return the names of the rules and of the terminals that a formula uses."""
    words = struck_texts(with_words_as_names(with_package_commands(latex, {})))[0]
    names: set[str] = set()
    rules: set[str] = set()
    for printed in (with_commands(latex), words):  # as it is printed, and as the check of a text reads it
        plain = prepare_formula(with_plain_typesetting(printed))
        with suppress(UnexpectedInput):
            rules |= {str(x.data) for x in LARK.parse(plain).iter_subtrees()}
            names |= {x.type for x in LARK.lex(plain, dont_ignore=True)}
    return rules, names


def text() -> str:
    """Return the text of the page."""
    lines = [
        "# Notation",
        "",
        "[Tutorial](tutorial.md) · [Notation](notation.md) · [How a verdict is reached](verdicts.md) · "
        "[What it does not promise](limits.md) · [Reference](reference.md) · [Proofs of a whole book](books.md)",
        "",
        "This page is made from the grammar, [`grammar.lark`](../src/eqproof/grammar.lark), by "
        "[`notation_page.py`](../tests/notation_page.py): each construct has an example here, and each example is read "
        "and judged by a test. What a letter is read as, where nobody says it, is in "
        "[How a verdict is reached](verdicts.md#what-letters-are-read-as).",
        "",
        "The last column tells what `eqproof check` says of the last step of the example with no declaration.",
    ]
    for title, (terminals, found) in SECTIONS.items():
        lines += ["", f"## {title}", ""]
        listed = [f"`{x}`" for name in terminals for x in commands(name)]
        lines += [f"Read are {', '.join(listed)}.", ""] if listed else []
        lines += ["| | example | verdict |", "|---|---|---|"]
        lines += [f"| {words} | `{latex.replace('|', chr(92) + '|')}` | {verdict} |" for words, latex, verdict in found]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(text(), encoding="utf-8")
