r"""From LaTeX to the tree: the lexer's two habits (bars open or close, rows of aligned go on), then the grammar.

>>> parse(r"T = \frac12 m \dot q^2").chains[0].relations
('=',)
"""

import re
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError

from robotdyn.proof import tree
from robotdyn.proof.errors import Unreadable
from robotdyn.proof.shape import BigHead, DerivativeHead, Head, Operator, fraction, plain, refuse, shape
from robotdyn.proof.subscripts import pieces

OPENERS = [
    "REL",
    "PLUS",
    "MINUS",
    "CDOT",
    "TIMES",
    "SLASH",
    "LPAR",
    "LBRACK",
    "LBRACE",
    "COMMA",
    "SEP",
    "AMP",
    "NEWLINE",
    "LMATRIX",
    "LCASES",
    "LBAR",
    "LNORM",
]
GOES_ON = ["REL", "PLUS", "MINUS", "CDOT", "TIMES"]
STYLES = {"boldsymbol": "bold", "mathbf": "bold", "bm": "bold", "mathrm": "", "mathit": ""}
STYLES |= {"mathcal": "cal", "mathsf": "sans"}
ACCENTS = {"widetilde": "tilde", "widehat": "hat", "overline": "bar"}
MINUS_ONE = tree.Add((tree.Sign("-"),), (tree.Number("1"),))
MARKS = {r"\top": "T", r"\intercal": "T", r"\vee": "vee", r"\wedge": "hat", "*": "star"}
WORDS = {
    "REL": "a relation",
    "NUMBER": "a factor",
    "PLUS": "a sign",
    "COMMA": "a comma",
    "RPAR": "a closing bracket )",
    "RBRACK": "a closing bracket ]",
    "RBRACE": "a closing brace }",
    "LBRACE": "an opening brace {",
    "RMATRIX": "the end of the matrix",
    "RCASES": "the end of the cases",
    "RBAR": "a closing bar",
    "RNORM": "closing bars",
    "AMP": "the next column",
    "$END": "the end",
}


class Rows:
    """Decides what a bar and what the end of a row mean, while the tokens go by."""

    always_accept = ("BAR", "NORM", "LALIGNED", "RALIGNED", "NEWLINE", "AMP")

    def process(self, stream):
        """Yield the tokens that the grammar sees."""
        stream, previous, bars, places = list(stream), None, [], []
        for i, token in enumerate(stream):
            if token.type in ("LMATRIX", "LCASES", "LALIGNED"):
                places.append(token.type)
            elif token.type in ("RMATRIX", "RCASES", "RALIGNED") and places:
                places.pop()
            aligned = bool(places) and places[-1] == "LALIGNED"
            if token.type in ("LALIGNED", "RALIGNED") or (token.type == "AMP" and aligned):
                continue
            if token.type == "NEWLINE" and aligned:
                token = self.row_end(stream, i, token)
                if token is None:
                    continue
            elif token.type in ("BAR", "NORM"):
                opens = not bars or bars[-1] != token.type or previous is None or previous in OPENERS
                bars.append(token.type) if opens else bars.pop()
                token = Token.new_borrow_pos(("L" if opens else "R") + token.type, token.value, token)
            previous = token.type
            yield token

    @staticmethod
    def row_end(stream, i, token):
        """Return None if the next row goes on with this one, a separator if it starts anew."""
        following = stream[i + 1 : i + 3]
        tabbed = bool(following) and following[0].type == "AMP"
        after = following[1:] if tabbed else following[:1]
        if not after or after[0].type in ("RALIGNED", "NEWLINE"):
            return None
        if after[0].type == "REL" or (tabbed and after[0].type in GOES_ON):
            return None
        if tabbed:
            raise Unreadable("a row that goes on must start with a relation or a sign", place=after[0].start_pos)
        return Token.new_borrow_pos("SEP", token.value, token)


def place(meta):
    """Return the span that lark noted."""
    return (meta.start_pos, meta.end_pos) if not meta.empty else (0, 0)


@v_args(meta=True)
class Build(Transformer):
    """Turns each rule of the grammar into a node."""

    def start(self, meta, items):
        return tree.Claims(tuple(x for x in items if isinstance(x, tree.Chain)), span=place(meta))

    def chain(self, meta, items):
        relations = tuple("=" if x.type == "REL" and x == ":=" else str(x) for x in items if isinstance(x, Token))
        return tree.Chain(tuple(x for x in items if isinstance(x, tree.Node)), relations, span=place(meta))

    def expr(self, meta, items):
        if not isinstance(items[0], tree.Sign):
            items = [tree.Sign("+", span=items[0].span), *items]
        if len(items) == 2 and items[0].text == "+":
            return items[1]
        return tree.Add(tuple(items[::2]), tuple(items[1::2]), span=place(meta))

    def sign(self, meta, items):
        return tree.Sign(str(items[0]), span=place(meta))

    def term(self, meta, items):
        return shape(items)

    def operator(self, meta, items):
        return Operator(items[0].type.lower(), span=place(meta))

    def number(self, meta, items):
        return tree.Number(str(items[0]), span=place(meta))

    def glyph(self, meta, items):
        return tree.Symbol(str(items[0]), span=place(meta))

    def styled(self, meta, items):
        style = STYLES[items[0][1:].strip()]
        body = [self.number(meta, [x]) if getattr(x, "type", "") == "NUMBER" else x for x in items[1:]]
        body = [x for x in body if isinstance(x, tree.Node)]
        if len(body) == 1 and isinstance(body[0], tree.Symbol):
            return replace(body[0], style=style, span=place(meta))
        if all(isinstance(x, tree.Number) or (plain(x) and not x.sub) for x in body):
            base = "".join(x.text if isinstance(x, tree.Number) else x.base for x in body)
            return tree.Symbol(base, style, span=place(meta))
        return refuse("a style must stand around one symbol", body[0])

    def accented(self, meta, items):
        body = next(x for x in items if isinstance(x, tree.Node))
        accent = ACCENTS.get(items[0][1:].strip(), items[0][1:].strip())
        dots = {"dot": 1, "ddot": 2, "dddot": 3}.get(accent, 0)
        if isinstance(body, tree.Symbol) and dots:
            return replace(body, dots=body.dots + dots, span=place(meta))
        if isinstance(body, tree.Symbol):
            return replace(body, accents=(accent, *body.accents), span=place(meta))
        if dots:
            return tree.Dotted(body, dots, span=place(meta))
        return refuse(f"\\{accent} must stand above one symbol", body)

    def factor_head(self, meta, items):
        return items[0]

    def pre_superscript(self, meta, items):
        return replace(items[1], pre="".join(c for c in items[0] if c.isalnum()), span=place(meta))

    def fraction_short(self, meta, items):
        above, below = re.findall(r"\d", items[0])
        start, end = place(meta)
        above = tree.Number(above, span=(end - len(items[0]) + items[0].rindex(above, 0, -1), end - 1))
        return tree.Fraction(above, tree.Number(below, span=(end - 1, end)), span=(start, end))

    def fraction(self, meta, items):
        rows = [list(x.factors) if isinstance(x, tree.Product) else [x] for x in items if isinstance(x, tree.Node)]
        return fraction(*rows, place(meta))

    def root(self, meta, items):
        degrees = [int(x) for x in items if getattr(x, "type", "") == "NUMBER"]
        return tree.Root(items[-2], *degrees, span=place(meta))

    def item(self, meta, items):
        return items[0] if items[0].relations else items[0].sides[0]

    def group(self, meta, items):
        bracket = "(" if items[0].type == "LPAR" else "["
        return tree.Group(bracket, tuple(x for x in items if isinstance(x, tree.Node)), span=place(meta))

    def braces(self, meta, items):
        return items[1] if isinstance(items[1], tree.Symbol) else tree.Group("{", (items[1],), span=place(meta))

    def bars(self, meta, items):
        return tree.Bars("norm" if items[0].type == "LNORM" else "abs", items[1], span=place(meta))

    def function(self, meta, items):
        return Head(re.sub(r"\\operatorname\*?|[\\{}\s]", "", items[0]), span=place(meta))

    def big(self, meta, items):
        return BigHead(items[0].type and re.search("sum|prod|int", items[0]).group(), span=place(meta))

    def big_open(self, meta, items):
        kind, chain = re.search("sum|prod|int", items[0]).group(), items[1]
        return BigHead(kind, chain if chain.relations else chain.sides[0], span=place(meta))

    def dots(self, meta, items):
        return tree.Dots(span=place(meta))

    def placeholder(self, meta, items):
        return tree.Symbol(r"\cdot", span=place(meta))

    def number_space(self, meta, items):
        return tree.Power(tree.Symbol("R", "mathbb"), items[1], span=place(meta)) if items[1:] else items[0]

    def sup_digit(self, meta, items):
        end = place(meta)[1]
        return tree.Number(items[0][-1], span=(end - 1, end))

    def sup_short(self, meta, items):
        return self.sup_mark(meta, items[1:])

    def sup_long(self, meta, items):
        return replace(items[2], span=place(meta)) if isinstance(items[2], tree.Mark) else items[2]

    def sup_mark(self, meta, items):
        if isinstance(items[0], tree.Node):
            return items[0]
        if items[0] in MARKS or (items[0] == "T"):
            return tree.Mark(MARKS.get(items[0], "T"), tree.Dots(), span=place(meta))
        return tree.Symbol(str(items[0]), span=place(meta))

    def sup_minus_mark(self, meta, items):
        return tree.Mark("-" + MARKS[str(items[1])], tree.Dots(), span=place(meta))

    def superscript(self, meta, items):
        body, sup = items
        if isinstance(body, BigHead):
            return replace(body, high=sup, span=place(meta))
        if isinstance(body, Head) and isinstance(sup, tree.Number) and body.power is None:
            return replace(body, power=sup, span=place(meta))
        if isinstance(body, Head | DerivativeHead):
            return refuse("a function takes only a positive number as its power: write a fraction or brackets", body)
        if isinstance(sup, tree.Mark):
            return tree.Mark(sup.kind, body, span=place(meta))
        if sup == MINUS_ONE:
            return tree.Mark("inv", body, span=place(meta))
        return tree.Power(body, sup, span=place(meta))

    def subscript(self, meta, items):
        body, token = items
        found = pieces(token, token.start_pos)
        if isinstance(body, BigHead):
            low = tree.Number(found[0]) if found[0].isdigit() else tree.Symbol(found[0])
            return replace(body, low=replace(low, span=(token.start_pos, token.end_pos)), span=place(meta))
        if isinstance(body, Head | DerivativeHead):
            return refuse("this function takes no subscript", body)
        if isinstance(body, tree.Symbol) and not body.sub:
            return replace(body, sub=found, span=place(meta))
        if isinstance(body, tree.Power) and isinstance(body.base, tree.Symbol) and not body.base.sub:
            return replace(body, base=replace(body.base, sub=found), span=place(meta))
        return tree.Indexed(body, found, span=place(meta))

    def primed(self, meta, items):
        if not isinstance(items[0], tree.Symbol):
            return refuse("a prime must stand on a symbol", items[0])
        return replace(items[0], primes=items[0].primes + len(items[1]), span=place(meta))

    def cell(self, meta, items):
        return items

    def row(self, meta, items):
        return [cell for cell in items if not isinstance(cell, Token)]

    def matrix(self, meta, items):
        rows = [x for x in items if not isinstance(x, Token)]
        if rows[-1] == [[]]:
            rows.pop()
        for cell in [cell for row in rows for cell in row]:
            if len(cell) != 1 or not isinstance(cell[0], tree.Chain) or cell[0].relations:
                raise Unreadable("an entry of this matrix is no single expression", place=meta.start_pos)
        if len({len(row) for row in rows}) > 1:
            lengths = ", ".join(str(len(row)) for row in rows)
            raise Unreadable(f"the rows of this matrix have {lengths} entries", place=meta.start_pos)
        entries = tuple(tuple(cell[0].sides[0] for cell in row) for row in rows)
        return tree.Matrix(entries, span=place(meta))

    def cases(self, meta, items):
        rows = []
        for row in [x for x in items if not isinstance(x, Token) and x != [[]]]:
            chains = [[x for x in cell if isinstance(x, tree.Chain)] for cell in row]
            if len(row) != 2 or len(chains[0]) != 1 or chains[0][0].relations:
                raise Unreadable("each row of cases must hold a value & a condition", place=meta.start_pos)
            rows.append((chains[0][0].sides[0], chains[1][0] if chains[1] else None))
        return tree.Cases(tuple(rows), span=place(meta))


LARK = Lark(
    Path(__file__).with_name("grammar.lark").read_text(encoding="utf8"),
    parser="lalr",
    lexer="basic",  # not "contextual": the habits above look ahead
    propagate_positions=True,
    postlex=Rows(),
    maybe_placeholders=False,
)


@lru_cache(maxsize=4096)
def parse(text, label=None):
    """Return the Claims that a text of LaTeX makes; raise Unreadable, which shows the place, at all that is not read."""
    body = text.rstrip()
    body = body[:-1] if body.endswith(".") else body
    try:
        return Build().transform(LARK.parse(body))
    except VisitError as error:
        if isinstance(error.orig_exc, Unreadable):
            raise error.orig_exc.at(text, label=label) from None
        raise
    except Unreadable as error:
        raise error.at(text, label=label) from None
    except UnexpectedInput as error:
        raise Unreadable(sentence(error, body), text, position(error, body), label) from None


def parse_expression(text):
    """Return the node of a text that makes no claim, such as the key of a binding."""
    claims = parse(text)
    if len(claims.chains) != 1 or claims.chains[0].relations:
        raise Unreadable(f"{text!r} must be one expression without a relation")
    return claims.chains[0].sides[0]


def position(error, text):
    """Return where lark stopped."""
    at = getattr(error, "pos_in_stream", None)
    token = getattr(error, "token", None)
    at = token.start_pos if token is not None and token.type != "$END" else at
    return len(text) if at is None or at < 0 or (token is not None and token.type == "$END") else at


def sentence(error, text):
    """Return what was found and what was expected, in words."""
    token = getattr(error, "token", None)
    at = position(error, text)
    found = "the end" if at >= len(text) else repr(str(token) if token is not None else first_word(text[at:]))
    expected = getattr(error, "accepts", None) or getattr(error, "expected", None) or getattr(error, "allowed", ())
    words = [WORDS[name] for name in WORDS if name in expected]
    return f"{found} is not read here" + (f"; expected {', '.join(words)}" if words else "")


def first_word(text):
    """Return the command or the character with which a text begins."""
    return re.match(r"\\[a-zA-Z]+|.", text, re.DOTALL).group()
