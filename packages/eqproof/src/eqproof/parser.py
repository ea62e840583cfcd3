r"""From LaTeX to the tree; what cannot be read is an error that shows the place and what was expected there.

>>> parse(r"T = \frac12 m \dot q^2").chains[0].relations
('=',)
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, pairwise
from pathlib import Path

from lark import Lark, Token, UnexpectedInput, UnexpectedToken
from lark.exceptions import VisitError

from eqproof import tree
from eqproof.build import Build
from eqproof.errors import Unreadable
from eqproof.ranges import with_ranges
from eqproof.typesetting import with_plain_typesetting

WORDS = {
    "REL": "a relation",
    "NUMBER": "a factor",
    "PLUS": "a sign",
    "COMMA": "a comma",
    "RPAR": "a closing bracket )",
    "RBRACK": "a closing bracket ]",
    "RBRACE": "a closing brace }",
    "RCURLY": "a closing brace \\}",
    "LBRACE": "an opening brace {",
    "RMATRIX": "the end of the matrix",
    "RCASES": "the end of the cases",
    "RBAR": "a closing bar",
    "RNORM": "closing bars",
    "AMP": "the next column",
    "$END": "the end",
}

GOES_ON = ["REL", "PLUS", "MINUS", "CDOT", "TIMES"]
OPENERS = [
    *GOES_ON,
    *["SLASH", "ASTERISK", "LPAR", "LBRACK", "LCURLY", "LBRACE", "COMMA", "SEP"],
    *["AMP", "NEWLINE", "LMATRIX", "LDET", "LCASES", "LBAR", "LNORM"],
]

HIDDEN = {  # what would be read otherwise than it is seen
    r"\textcolor": "prints in a color that is not seen on every page: take red, green, blue, orange, purple, ..",
    r"\pm": "says two things at once: write an equation for each sign",
    r"\mp": "says two things at once: write an equation for each sign",
    r"\hspace": "goes back over what is printed",
    r"\!": "stands so often that what is printed runs into one",
    r"\left": r"opens a bracket that is not read: write ( [ \{ or |",
    r"\right": r"closes a bracket that is not read: write ) ] \} or |",
    r"\dagger": r"is not read up here: write ^\top, or name the matrix by another letter",
    r"\otimes": "is not computed: write the entries, or name the product by a letter of its own",
    r"\circ": r"is not read: write degrees as \frac{\pi}{180}, and what is done one after the other with brackets",
    r"\sideset": r"sets marks at a sum, which say what it leaves out: say it below the sum",
    **dict.fromkeys((r"\iint", r"\iiint", r"\oiint"), r"is not read: write \int \int, each with its bounds"),
    **dict.fromkeys(
        (r"\kern", r"\mkern", r"\hskip", r"\mskip", r"\mspace"), "goes back over what is printed, or stretches"
    ),
    **dict.fromkeys(
        (r"\llap", r"\rlap", r"\mathllap", r"\mathrlap", r"\mathclap", r"\clap"),
        "prints over what stands beside it: leave it out",
    ),
    **dict.fromkeys(
        (r"\raisebox", r"\raise", r"\lower"), "moves what is printed, as an index is: leave it out, or write ^ or _"
    ),
    **dict.fromkeys(
        (r"\fbox", r"\colorbox", r"\fcolorbox", r"\framebox"), r"is not read around this: write \boxed, or leave it out"
    ),
    **dict.fromkeys(
        (r"\ast", r"\star", r"\bullet", "*"), r"can say a product or a convolution: write \cdot, or name it by a letter"
    ),
    r"\color": "prints in a color that is not seen on every page: take red, green, blue, orange, purple, ..",
    r"\mathop": r"is read around tr, diag, rank and sign, and around what has a command: write \operatorname{..}",
    r"\pmatrix": r"is not read: write \begin{pmatrix} .. \end{pmatrix}",
    "√": r"is read in front of braces or one sign alone: write \sqrt{..}",
    r"\tag": "holds a formula, which is not compared: write a number or a name",
    **dict.fromkeys(
        (r"\overset", r"\stackrel"),
        "says above a sign what is not compared: only def and the number of an equation are read",
    ),
    **dict.fromkeys(
        (r"\cap", r"\cup", r"\setminus"), "is an operation on sets: only numbers and matrices are compared"
    ),
    **dict.fromkeys((r"\langle", r"\rangle"), r"is no bracket that is read: write ( or \lvert"),
    **dict.fromkeys(
        (r"\to", r"\rightarrow", r"\sim", r"\simeq", r"\propto", r"\cong", r"\ll", r"\gg", r"\perp", r"\parallel"),
        r"is no relation that is compared: = < > \le \ge \ne \approx \in are",
    ),
}


Bar = tuple[str, bool]  # of a bar that is open: BAR or NORM, whether \left or the like opened it


@dataclass
class Surrounding:
    """A matrix, cases or aligned lines that are open: the kind of token that opened them, and where their row begins."""

    opened_by: str
    row_start: int


class Rows:
    """Decides what a bar and what the end of a row mean, while the tokens go by."""

    always_accept = (
        *("BAR", "NORM", "LALIGNED", "RALIGNED", "NEWLINE", "AMP", "LNULL", "RNULL", "VALUEAT", "SUBSTACK"),
    )

    def process(self, stream: Iterable[Token]) -> Iterator[Token]:
        """Yield the tokens that the grammar sees."""
        tokens = self.without_indents(self.without_nulls(self.without_substacks(list(stream))))
        previous: str | None = None
        surroundings: list[Surrounding] = []
        bars: list[Bar] = []
        for i, token in enumerate(tokens):
            self.enter(surroundings, token, i)
            if token.type in ("LALIGNED", "RALIGNED"):
                continue
            aligned = bool(surroundings) and surroundings[-1].opened_by == "LALIGNED"
            seen: Token | None = token
            if aligned and token.type in ("AMP", "NEWLINE"):
                seen = self.in_aligned(surroundings[-1], tokens, i, previous)
            elif not bars and previous not in (None, *OPENERS) and self.is_condition(tokens, i):
                seen = Token.new_borrow_pos("GIVEN", token.value, token)
            elif token.type in ("BAR", "NORM"):
                seen = self.bar(bars, token, previous)
            elif token.type == "STAR" and previous not in (None, "CARET", "LBRACE"):
                seen = Token.new_borrow_pos("ASTERISK", token.value, token)
            if seen is not None:
                previous = seen.type
                yield seen

    @staticmethod
    def enter(surroundings: "list[Surrounding]", token: Token, i: int) -> None:
        """Note that a matrix, cases or lines begin or end with the token at i."""
        if token.type in ("LMATRIX", "LDET", "LCASES", "LALIGNED"):
            surroundings.append(Surrounding(token.type, i + 1))
        elif token.type in ("RMATRIX", "RDET", "RCASES", "RALIGNED") and surroundings:
            surroundings.pop()

    def in_aligned(self, lines: "Surrounding", tokens: list[Token], i: int, previous: str | None) -> Token | None:
        """Return what the tab or the end of a row at i is in aligned lines: a separator, or None where the row goes on."""
        token = tokens[i]
        if token.type == "AMP":
            parts = previous != "COMMA" and self.column_end(tokens, lines.row_start, i)
            return Token.new_borrow_pos("SEP", token.value, token) if parts else None
        end = self.row_end(tokens, i, token, tabbed=tokens[lines.row_start].type == "AMP")
        lines.row_start = i + 1
        return end

    @staticmethod
    def bar(bars: "list[Bar]", token: Token, previous: str | None) -> Token:
        r"""Return a bar as one that opens or closes: \left and its like tell; a plain one closes the plain one before it."""
        told = re.match(r"\\(left|right|[lr](?=vert|Vert)|[bB]igg?[lr])", token)
        if told:
            opens = told[0][-1] in "lt" and told[0] != r"\right"
        else:
            opens = not bars or bars[-1] != (token.type, False) or previous is None or previous in OPENERS
        if opens:
            bars.append((token.type, bool(told)))
        elif bars:
            bars.pop()
        return Token.new_borrow_pos(("L" if opens else "R") + token.type, token.value, token)

    @staticmethod
    def is_condition(stream: list[Token], i: int) -> bool:
        """Tell whether the token at i is the bar of P(A | B): none that could be its partner stands in front of the bracket's end."""
        depth = 0
        for token in stream[i + 1 :] if stream[i] == "|" else ():
            if token.type in ("BAR", "VALUEAT"):
                return False
            depth += (token.type in ("LPAR", "LBRACK")) - (token.type in ("RPAR", "RBRACK"))
            if depth < 0:
                return True
        return False

    @staticmethod
    def without_nulls(stream: list[Token]) -> list[Token]:
        r"""Return tokens without \left. and \right., which print nothing: the partner of \left[ may stand in another row.

        One whose partner is a bar with values below it, \left. F \right|_{x = 0}, opens what has these values; with a place
        alone, \left. F \right|_0^1, both are brackets. A brace whose partner prints nothing, in front of lines, is left out.
        """
        left: list[int] = []
        types = {i: token.type for i, token in enumerate(stream)}
        for i, token in enumerate(stream):
            if re.match(r"\\left(?![a-zA-Z])", token):
                left.append(i)
            elif re.match(r"\\right(?![a-zA-Z])", token) and left:
                start = left.pop()
                types[start], types[i] = pair_of_null(stream, start, i) or (types[start], types[i])
        kept = [(types[i], x) for i, x in enumerate(stream) if types[i] not in ("LNULL", "RNULL")]
        return [x if kind == x.type else Token.new_borrow_pos(kind, x.value, x) for kind, x in kept]

    @staticmethod
    def without_substacks(stream: list[Token]) -> list[Token]:
        r"""Return tokens in which the rows of a \substack are a list with commas."""
        kept: list[Token] = []
        depth = 0
        begun = False
        for token in stream:
            if token.type == "SUBSTACK":
                begun = True
                continue
            if begun and token.type != "LBRACE":
                raise Unreadable("takes its rows in braces", place=token.start_pos)
            if not depth and not begun:
                kept.append(token)
                continue
            depth += (token.type == "LBRACE") - (token.type == "RBRACE")
            if depth and not begun:
                row = token.type == "NEWLINE"
                kept.append(Token.new_borrow_pos("COMMA", token.value, token) if row else token)
            begun = False
        return kept

    @staticmethod
    def without_indents(stream: list[Token]) -> list[Token]:
        r"""Return tokens without the \quad at the begin of a row or a column, which parts nothing."""
        starts = ("AMP", "NEWLINE", "LALIGNED")

        def is_indent(before: Token, token: Token) -> bool:
            spaces = token.type == "SEP" and re.fullmatch(r"(\\(q?quad|enspace)\s*)+", token)
            return bool(spaces) and before.type in starts

        return stream[:1] + [token for before, token in pairwise(stream) if not is_indent(before, token)]

    @staticmethod
    def column_end(stream: list[Token], start: int, i: int) -> bool:
        """Tell whether the tab at i parts two equations of a row: an even one, with a relation on each side of it."""
        before = [token.type for token in stream[start:i]]
        after = [token.type for token in stream[i + 1 :]]
        after = after[: min([after.index(x) for x in ("NEWLINE", "RALIGNED") if x in after], default=len(after))]
        return before.count("AMP") % 2 == 1 and "REL" in before and "REL" in after and after[0] != "REL"

    @staticmethod
    def row_end(stream: list[Token], i: int, token: Token, tabbed: bool) -> Token | None:
        """Return None if the next row goes on with this one, a separator if it starts anew; tabbed: whether this one is."""
        following = stream[i + 1 : i + 3]
        goes_on = bool(following) and following[0].type == "AMP"
        after = following[1:] if goes_on else following[:1]
        if not after or after[0].type in ("RALIGNED", "NEWLINE") or stream[i - 1].type in GOES_ON[1:]:
            return None
        rest = stream[i + 1 :]
        end = min((k for k, x in enumerate(rest) if x.type in ("NEWLINE", "RALIGNED")), default=len(rest))
        term = after[0].type in ("PLUS", "MINUS") and not any(x.type == "REL" for x in rest[:end])
        if after[0].type == "REL" or (goes_on and after[0].type in GOES_ON) or term:
            return None
        if goes_on and not tabbed:
            raise Unreadable("a row that goes on must start with a relation or a sign", place=after[0].start_pos)
        return Token.new_borrow_pos("SEP", token.value, token)


def pair_of_null(stream: list[Token], start: int, end: int) -> tuple[str, str] | None:
    r"""Return what the tokens of \left and \right are where one of them prints nothing; None where they stay as they are."""
    opened, closed = stream[start], stream[end]
    inside = stream[start + 1 : end]
    if opened.type == "LNULL" and closed.type == "VALUEAT":
        return "LVALUE", "RVALUE"
    if opened.type == "LNULL" and closed.type == "BAR" and stream[end + 1 : end + 2] and stream[end + 1].type == "SUB":
        return "LBRACK", "RBRACK"
    if "SLASH" in (opened.type, closed.type) and is_sum(inside):
        raise Unreadable("what this tall slash divides can be read in two ways: set brackets", place=opened.start_pos)
    lines = bool(inside) and inside[0].type == "LALIGNED" and inside[-1].type == "RALIGNED"
    return (
        ("LNULL", "RNULL")
        if lines and {opened.type, closed.type} in ({"LCURLY", "RNULL"}, {"LNULL", "RCURLY"})
        else None
    )


def is_sum(tokens: list[Token]) -> bool:
    """Tell whether a sign or a relation stands in tokens outside all brackets."""
    depth = 0
    for token in tokens:
        if token.type in ("PLUS", "MINUS", "REL") and depth == 0:
            return True
        opens = token.type in ("LPAR", "LBRACK", "LCURLY", "LBRACE")
        depth += opens - (token.type in ("RPAR", "RBRACK", "RCURLY", "RBRACE"))
    return False


# where: teach the checker of equations a notation
# `eqproof/grammar.lark`, and a row of `packages/eqproof/tests/notation_page.py`, which writes `packages/eqproof/docs/notation.md`
LARK = Lark(
    Path(__file__).with_name("grammar.lark").read_text(encoding="utf8"),
    parser="lalr",
    lexer="basic",  # not "contextual": the habits above look ahead
    propagate_positions=True,
    postlex=Rows(),
    maybe_placeholders=False,
)


@lru_cache(maxsize=4096)
def parse(text: str, label: str | None = None) -> tree.Claims:
    """Return the Claims that a text of LaTeX makes; raise Unreadable, which shows the place, at all that is not read."""
    body = with_plain_typesetting(text.rstrip())
    try:
        claims = with_ranges(Build().transform(LARK.parse(body)))
        refuse_rows_of_spaces(claims, body)
        refuse_bars(claims, body)
        refuse_unbraced(claims, body)
        return claims
    except VisitError as error:
        if isinstance(error.orig_exc, Unreadable):
            raise error.orig_exc.at(text, label=label) from None
        raise
    except Unreadable as error:
        raise error.at(text, label=label) from None
    except UnexpectedInput as error:
        raise Unreadable(sentence(error, body), text, position(error, body), label) from None


def refuse_rows_of_spaces(claims: tree.Claims, text: str) -> None:
    r"""Raise Unreadable at [x \ y], a row that would be read as a product."""
    for node in tree.walk(claims):
        product = node.items[0] if isinstance(node, tree.Group) and node.bracket == "[" else None
        for a, b in pairwise(product.factors) if isinstance(product, tree.Product) else ():
            if re.search(r"\\[ ;:]|~", text[a.span[1] : b.span[0]]):
                raise Unreadable(
                    "a space in a row can be read as a product: write & in a bmatrix, or a comma", place=b.span[0]
                )


def refuse_bars(claims: tree.Claims, text: str) -> None:
    r"""Raise Unreadable at |x| y |z|, where bars that do not tell their side can be paired in two ways."""
    bars = sorted((x for x in tree.walk(claims) if isinstance(x, tree.Bars)), key=lambda x: x.span)
    plain = [x for x in bars if re.match(r"\||\\\|", text[x.span[0] :])]
    for a, b in combinations(plain, 2):
        between = text[a.span[1] : b.span[0]].strip() if a.kind == b.kind else ""
        if between and between[0] not in "+-^_|" and is_expression(between):
            raise Unreadable(r"these bars can be paired in two ways: write \lvert .. \rvert", place=a.span[0])


def is_expression(text: str) -> bool:
    """Tell whether a text is one expression, which could stand between bars."""
    try:
        claims = Build().transform(LARK.parse(text))
    except (VisitError, Unreadable, UnexpectedInput):
        return False
    return len(claims.chains) == 1 and not claims.chains[0].relations


def refuse_unbraced(claims: tree.Claims, text: str) -> None:
    r"""Raise Unreadable at \sqrt xy and \frac xyz, of which TeX takes one sign, and a reader may take more."""
    for node in tree.walk(claims):
        body = node.base if isinstance(node, tree.Power) else node.body if isinstance(node, tree.Indexed) else node
        if not isinstance(body, tree.Root | tree.Fraction) or not re.match(
            r"\\([tdc]?frac|sqrt)", text[body.span[0] :]
        ):
            continue
        printed = text[slice(*body.span)].rstrip()
        end = body.span[0] + len(printed)
        behind = text[end : end + 1]
        half = isinstance(body, tree.Fraction) and re.fullmatch(r"\\[td]?frac\s*\d\s*\d", printed)
        more = behind.isdigit() if half else behind.isalnum()
        if not printed.endswith("}") and (more or body is not node):
            raise Unreadable("of this TeX takes one sign alone, a reader may take more: set braces", place=body.span[0])


def parse_expression(text: str) -> tree.Node:
    """Return the node of a text that makes no claim, such as the key of a binding."""
    claims = parse(text)
    if len(claims.chains) != 1 or claims.chains[0].relations:
        raise Unreadable(f"{text!r} must be one expression without a relation")
    return claims.chains[0].sides[0]


def position(error: UnexpectedInput, text: str) -> int:
    """Return where lark stopped."""
    if isinstance(error, UnexpectedToken) and error.token.type == "$END":
        return len(text)
    at = error.token.start_pos if isinstance(error, UnexpectedToken) else error.pos_in_stream
    return len(text) if at is None or at < 0 else int(at)


def sentence(error: UnexpectedInput, text: str) -> str:
    """Return what was found and what was expected, in words."""
    at = position(error, text)
    if not isinstance(error, UnexpectedToken):
        word = first_word(text[at:])
        unknown = "is not known" if len(word) < 2 else r"is not known: define it by \newcommand, or write it out"
        return f"{word} {HIDDEN.get(word, unknown)}"
    found = "the end" if at >= len(text) else repr(str(error.token))
    expected = error.accepts or error.expected
    return f"{found} is not read here; expected {', '.join(WORDS[name] for name in WORDS if name in expected)}"


def first_word(text: str) -> str:
    """Return the command or the character with which a text begins."""
    words: list[str] = re.findall(r"\\[a-zA-Z]+|\\?.", text, re.DOTALL)
    return words[0]
