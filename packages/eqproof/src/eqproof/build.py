"""From the grammar's rules to nodes of the tree: one method for each rule, with the name that the grammar gives it."""

import re
from dataclasses import replace
from typing import Any

from lark import Token, Transformer, v_args
from lark.tree import Meta

from eqproof import tree
from eqproof.errors import Unreadable
from eqproof.intermediate import (
    BigHead,
    Head,
    Operator,
    braces,
    is_index,
    is_undecorated_symbol,
    refuse,
    without_braces,
)
from eqproof.scope_of_sums import refuse_open_ends
from eqproof.shape import fraction, shape
from eqproof.subscripts import pieces
from eqproof.superscripts import with_subscript, with_superscript

STYLES = {"boldsymbol": "bold", "mathbf": "bold", "bm": "bold", "mathrm": "", "mathit": "", "mathbb": "mathbb"}
STYLES |= {"mathcal": "cal", "mathsf": "sans", "mathscr": "cal"}
ACCENTS = {"widetilde": "tilde", "widehat": "hat", "overline": "bar"}
MARKS = {r"\top": "T", r"\intercal": "T", r"\vee": "vee", r"\wedge": "hat", "*": "star"}
GIVEN = r"\mid"  # the relation in P(A \mid B), which nothing compares
PRINTED_AS = {":=": "=", r"\triangleq": "=", r"\leqslant": r"\le", r"\geqslant": r"\ge"}
WHOLE_PARTS = {"lfloor": "floor", "lceil": "ceil"}
BIG = re.compile("sum|prod|int")
RELATION = re.compile(
    r"[=<>]|\\(le|ge|ne|leq|geq|neq|approx|equiv|sim|simeq|ll|gg|to|rightarrow|propto|in|perp)(?![a-zA-Z])"
)


def span_of(meta: Meta) -> tuple[int, int]:
    """Return the span that lark noted."""
    return (meta.start_pos, meta.end_pos) if not meta.empty else (0, 0)


def meant_relation(relation: str) -> str:
    r"""Return the relation that is meant, = for := and for what stands over an =, as in \overset{\text{def}}{=}."""
    return "=" if relation.startswith((r"\overset", r"\stackrel")) else PRINTED_AS.get(relation, relation)


def letter_value_pairs(chain: tree.Chain) -> tuple[tuple[tree.Node, tree.Node], ...]:
    """Return the pair (letter, value) of what stands below a bar."""
    if chain.relations != ("=",) or not isinstance(chain.sides[0], tree.Symbol):
        return refuse("below this bar a letter must be given its value, x = 0", chain)
    return ((chain.sides[0], chain.sides[1]),)


def with_zeros(rows: list[list[list[Any]]]) -> list[list[list[Any]]]:
    """Return the rows of a matrix with zeros where nothing is printed, unless a whole row or column is empty."""
    if len({len(row) for row in rows}) != 1 or not all(map(any, rows)) or not all(map(any, zip(*rows))):
        return rows
    zero = tree.Chain((tree.Number("0"),), ())
    return [[cell or [zero] for cell in row] for row in rows]


def value_between(body: tree.Node, places: list[tree.Chain], span: tuple[int, int]) -> tree.Node:
    """Return the value of a body at a place, or at the second of two places less that at the first."""
    values = [tree.Evaluated(body, letter_value_pairs(x), span=span) for x in places]
    if len(values) == 1:
        return values[0]
    if len({x.places[0][0] for x in values}) > 1:
        refuse("the bar goes from one letter to another one", places[1])
    return tree.Group("(", (tree.Add((tree.Sign("+"), tree.Sign("-")), (values[1], values[0]), span=span),), span=span)


@v_args(meta=True)
class Build(Transformer[Token, tree.Claims]):
    """Turns each rule of the grammar into a node; items: what its parts have become, nodes and tokens."""

    def start(self, meta: Meta, items: list[Any]) -> tree.Claims:
        return tree.Claims(tuple(x for x in items if isinstance(x, tree.Chain)), span=span_of(meta))

    def chain(self, meta: Meta, items: list[Any]) -> tree.Chain:
        relations = tuple(meant_relation(str(x)) for x in items if isinstance(x, Token))
        return tree.Chain(tuple(x for x in items if isinstance(x, tree.Node)), relations, span=span_of(meta))

    def expr(self, meta: Meta, items: list[Any]) -> tree.Node:
        if not isinstance(items[0], tree.Sign):
            items = [tree.Sign("+", span=items[0].span), *items]
        terms = tuple(without_braces(*pair) for pair in zip(items[::2], items[1::2]))
        refuse_open_ends(terms)
        if len(terms) == 1 and items[0].text == "+":
            return terms[0]
        return tree.Add(tuple(items[::2]), terms, span=span_of(meta))

    def sign(self, meta: Meta, items: list[Any]) -> tree.Sign:
        return tree.Sign(str(items[0]), span=span_of(meta))

    def term(self, meta: Meta, items: list[Any]) -> tree.Node:
        return shape(items)

    def operator(self, meta: Meta, items: list[Any]) -> Operator:
        if items[0].type == "ASTERISK" and items[0] == r"\star":
            raise Unreadable(
                "can say a product or a convolution: write \\cdot, or name it by a letter", place=meta.start_pos
            )
        return Operator(items[0].type.lower(), span=span_of(meta))

    def number(self, meta: Meta, items: list[Any]) -> tree.Number:
        return tree.Number(str(items[0]), span=span_of(meta))

    def glyph(self, meta: Meta, items: list[Any]) -> tree.Symbol:
        return tree.Symbol(str(items[0]), span=span_of(meta))

    def styled(self, meta: Meta, items: list[Any]) -> tree.Symbol:
        style = STYLES[items[0][1:].strip()]
        body = [self.number(meta, [x]) if getattr(x, "type", "") == "NUMBER" else x for x in items[1:]]
        body = [x for x in body if isinstance(x, tree.Node)]
        if len(body) == 1 and isinstance(body[0], tree.Symbol):
            return replace(body[0], style=style, span=span_of(meta))
        if all(isinstance(x, tree.Number) or (is_undecorated_symbol(x) and not x.sub) for x in body):
            base = "".join(x.text if isinstance(x, tree.Number) else x.base for x in body)
            return tree.Symbol(base, style, span=span_of(meta))
        return refuse("a style must stand around one symbol", body[0])

    def accented(self, meta: Meta, items: list[Any]) -> tree.Node:
        body = next(x for x in items if isinstance(x, tree.Node))
        accent = ACCENTS.get(items[0][1:].strip(), items[0][1:].strip())
        dots = {"dot": 1, "ddot": 2, "dddot": 3}.get(accent, 0)
        if isinstance(body, tree.Symbol) and dots:
            return replace(body, dots=body.dots + dots, span=span_of(meta))
        if isinstance(body, tree.Symbol):
            return replace(body, accents=(accent, *body.accents), span=span_of(meta))
        if dots:
            return tree.Dotted(body, dots, span=span_of(meta))
        if accent == "underline":  # of an expression, as around a result: it says nothing
            return braces(body, span_of(meta))
        return refuse(f"\\{accent} must stand above one symbol", body)

    def factor_head(self, meta: Meta, items: list[tree.Node]) -> tree.Node:
        return items[0]

    def pre_superscript(self, meta: Meta, items: list[Any]) -> tree.Symbol:
        symbol: tree.Symbol = items[1]
        above, below = (re.search(rf"\{x}\s*\{{?\s*([a-zA-Z0-9]+)", items[0]) for x in "^_")
        pre = (above[1] if above else "") + (f"_{below[1]}" if below else "")
        return replace(symbol, pre=pre, span=span_of(meta))

    def fraction_short(self, meta: Meta, items: list[Any]) -> tree.Fraction:
        above, below = re.findall(r"\d", items[0])
        start, end = span_of(meta)
        above = tree.Number(above, span=(end - len(items[0]) + items[0].rindex(above, 0, -1), end - 1))
        return tree.Fraction(above, tree.Number(below, span=(end - 1, end)), span=(start, end))

    def fraction(self, meta: Meta, items: list[Any]) -> tree.Node:
        rows = [list(x.factors) if isinstance(x, tree.Product) else [x] for x in items if isinstance(x, tree.Node)]
        above, below = rows
        return fraction(above, below, span_of(meta))

    def digit(self, meta: Meta, items: list[Any]) -> tree.Number:
        if len(items[0]) > 1:
            raise Unreadable("of this number TeX takes the first digit alone: set braces", place=meta.start_pos)
        return tree.Number(str(items[0]), span=span_of(meta))

    def root(self, meta: Meta, items: list[Any]) -> tree.Root:
        degrees = [int(x) for x in items if getattr(x, "type", "") == "NUMBER"]
        (body,) = (x for x in items if isinstance(x, tree.Node))
        return tree.Root(body, *degrees, span=span_of(meta))

    def underbraced(self, meta: Meta, items: list[Any]) -> tree.Node:
        below = str(items[-1]) if items[-1].type == "SUB" else ""
        named = re.match(r"_\s*\{\s*=\s*:|_\s*\{[^{}=]*:\s*=\s*\}\Z", below)  # _{=: c} gives it a name
        if RELATION.search(below) and not named:
            return refuse("what is claimed below this brace is not compared: write an equation of its own", items[2])
        return braces(items[2], span_of(meta))

    def binomial(self, meta: Meta, items: list[Any]) -> tree.Call:
        return tree.Call("binomial", tuple(x for x in items if isinstance(x, tree.Node)), span=span_of(meta))

    def value_of(self, meta: Meta, items: list[Any]) -> tree.Node:
        return value_between(items[1], [x for x in items[2:] if isinstance(x, tree.Chain)], span_of(meta))

    def whole_part(self, meta: Meta, items: list[Any]) -> tree.Call:
        opened, body, closed = items
        name = next(x for x in WHOLE_PARTS if x in opened)
        if name.lstrip("l") != re.sub(r".*\\r", "", str(closed), flags=re.DOTALL).strip():
            return refuse("a floor and a ceiling do not close each other", body)
        return tree.Call(WHOLE_PARTS[name], (body,), span=span_of(meta))

    def degrees(self, meta: Meta, items: list[Any]) -> tree.Group:
        number = items[0]
        if not isinstance(number, tree.Number):
            return refuse(
                "degrees are read behind a number alone: write \\frac{\\pi}{180}, or name it by another mark", number
            )
        place = span_of(meta)
        above = tree.Product((number, tree.Symbol(r"\pi", span=place)), span=place)
        return tree.Group("(", (tree.Fraction(above, tree.Number("180", span=place), span=place),), span=place)

    def value_at(self, meta: Meta, items: list[Any]) -> tree.Node:
        body = items[0]
        if not isinstance(body, tree.Fraction | tree.Derivative | tree.Group):
            return refuse(
                r"what this bar takes the value of can be read in two ways: write \left. in front of it", body
            )
        return value_between(body, [x for x in items[1:] if isinstance(x, tree.Chain)], span_of(meta))

    def determinant(self, meta: Meta, items: list[Any]) -> tree.Call:
        return tree.Call("det", (self.matrix(meta, items),), span=span_of(meta))

    def item(self, meta: Meta, items: list[tree.Chain]) -> tree.Node:
        return items[0] if items[0].relations else items[0].sides[0]

    def group(self, meta: Meta, items: list[Any]) -> tree.Group:
        bracket = {"LPAR": "(", "LBRACK": "[", "LCURLY": "{"}[items[0].type]
        return tree.Group(bracket, tuple(x for x in items if isinstance(x, tree.Node)), span=span_of(meta))

    def given(self, meta: Meta, items: list[Any]) -> tree.Group:
        first, *rest = (x for x in items if isinstance(x, tree.Node))
        chain = tree.Chain((first, rest[0]), (GIVEN,), span=(first.span[0], rest[0].span[1]))
        return tree.Group("(" if items[0].type == "LPAR" else "[", (chain, *rest[1:]), span=span_of(meta))

    def braces(self, meta: Meta, items: list[Any]) -> tree.Node:
        return braces(items[1], span_of(meta))

    def bars(self, meta: Meta, items: list[Any]) -> tree.Node:
        if items[0].type == "LBAR" and isinstance(items[1], tree.Matrix):
            return tree.Call("det", (items[1],), span=span_of(meta))
        return tree.Bars("norm" if items[0].type == "LNORM" else "abs", items[1], span=span_of(meta))

    def function(self, meta: Meta, items: list[Any]) -> Head:
        name = re.sub(r"\\operatorname\*?|\\mathrm|[\\{}\s]", "", items[0])
        if name == "lg":
            return Head("log", base=tree.Number("10", span=span_of(meta)), span=span_of(meta))
        return Head(name, span=span_of(meta))

    def big(self, meta: Meta, items: list[Any]) -> BigHead:
        return BigHead(BIG.findall(items[0])[0], span=span_of(meta))

    def big_open(self, meta: Meta, items: list[Any]) -> BigHead:
        kind = BIG.findall(items[0])[0]
        chains = [x for x in items if isinstance(x, tree.Chain)]
        last = chains[-1]
        also = [x.sides[0] for x in chains[:-1] if not x.relations and is_index(x.sides[0])]
        if kind == "int" and len(chains) > 1:
            return refuse("an integral has one place below it", chains[1])
        if len(also) == len(chains) - 1 and (last.relations == ("=",) or not also):
            low = last if last.relations else last.sides[0]
            return BigHead(kind, low, also=tuple(x.base for x in also), span=span_of(meta))
        return BigHead(kind, conditions=tuple(chains), span=span_of(meta))

    def big_up(self, meta: Meta, items: list[Any]) -> BigHead:
        high, low = (x for x in items if isinstance(x, tree.Node))
        return BigHead(BIG.findall(items[0])[0], low, high, span=span_of(meta))

    def big_up_short(self, meta: Meta, items: list[Any]) -> BigHead:
        sign = items[0][-1]
        where = (items[0].end_pos - 1, items[0].end_pos)
        high = tree.Number(sign, span=where) if sign.isdigit() else tree.Symbol(sign, span=where)
        return BigHead(BIG.findall(items[0])[0], items[2], high, span=span_of(meta))

    def limit_open(self, meta: Meta, items: list[Any]) -> BigHead:
        return BigHead("lim", items[1], items[3], span=span_of(meta))

    def dots(self, meta: Meta, items: list[Any]) -> tree.Dots:
        return tree.Dots(span=span_of(meta))

    def placeholder(self, meta: Meta, items: list[Any]) -> tree.Symbol:
        return tree.Symbol(r"\cdot", span=span_of(meta))

    def number_space(self, meta: Meta, items: list[Any]) -> tree.Node:
        space = tree.Symbol("R", "mathbb", span=span_of(meta))
        return tree.Power(space, items[1], span=span_of(meta)) if items[1:] else space

    def sup_digit(self, meta: Meta, items: list[Any]) -> tree.Number:
        end = span_of(meta)[1]
        return tree.Number(items[0][-1], span=(end - 1, end))

    def sup_short(self, meta: Meta, items: list[Any]) -> tree.Node:
        return self.sup_mark(meta, items[1:])

    def sup_long(self, meta: Meta, items: list[Any]) -> tree.Node:
        return replace(items[2], span=span_of(meta)) if isinstance(items[2], tree.Mark) else items[2]

    def sup_sign(self, meta: Meta, items: list[Any]) -> tree.Sign:
        (sign,) = (x for x in items if x.type in ("PLUS", "MINUS"))
        return tree.Sign(str(sign), span=span_of(meta))

    def sup_mark(self, meta: Meta, items: list[Any]) -> tree.Node:
        if isinstance(items[0], tree.Node):
            return items[0]
        if items[0] in MARKS:
            return tree.Mark(MARKS[items[0]], tree.Dots(), span=span_of(meta))
        return tree.Symbol(str(items[0]), span=span_of(meta))

    def sup_minus_mark(self, meta: Meta, items: list[Any]) -> tree.Mark:
        return tree.Mark("-" + MARKS[str(items[1])], tree.Dots(), span=span_of(meta))

    def superscript(self, meta: Meta, items: list[Any]) -> tree.Node:
        body, sup = items
        return with_superscript(body, sup, span_of(meta))

    def subscript(self, meta: Meta, items: list[Any]) -> tree.Node:
        body, token = items
        found = pieces(token, token.start_pos)
        if isinstance(body, BigHead):
            if len(found) > 1:  # t_0, or a + 1: behind an upper bound these are not told apart
                refuse(r"write the lower bound first, \int_{t_0}^{t_1}", body)
            low = tree.Number(found[0]) if found[0].isdigit() else tree.Symbol(found[0])
            return replace(body, low=replace(low, span=(token.start_pos, token.end_pos)), span=span_of(meta))
        return with_subscript(body, found, span_of(meta))

    def primed(self, meta: Meta, items: list[Any]) -> tree.Symbol:
        if not isinstance(items[0], tree.Symbol):
            return refuse("a prime must stand on a symbol", items[0])
        return replace(items[0], primes=items[0].primes + len(items[1]), span=span_of(meta))

    def factorial(self, meta: Meta, items: list[Any]) -> tree.Call:
        if not (is_undecorated_symbol(items[0]) or isinstance(items[0], tree.Number | tree.Group)):
            return refuse("a factorial must stand behind a letter, a number or a bracket", items[0])
        return tree.Call("factorial", (items[0],), span=span_of(meta))

    def cell(self, meta: Meta, items: list[Any]) -> list[Any]:
        words = [x for x in items if getattr(x, "type", "") == "TEXT"]
        for word in words:
            said = re.sub(r"\\text(rm|it)?\s*\{|\}", "", word).strip(" ,.~").lower()
            if said not in ("if", "for", "when", "otherwise", "else"):
                raise Unreadable(f"the word {said!r} is not read: only if and otherwise are", place=word.start_pos)
        return items

    def row(self, meta: Meta, items: list[Any]) -> list[Any]:
        return [cell for cell in items if not isinstance(cell, Token)]

    def matrix(self, meta: Meta, items: list[Any]) -> tree.Matrix:
        rows = [x for x in items if not isinstance(x, Token)]
        if rows[-1] == [[]]:
            rows.pop()
        rows = with_zeros(rows)
        for cell in [cell for row in rows for cell in row]:
            if len(cell) != 1 or not isinstance(cell[0], tree.Chain) or cell[0].relations:
                raise Unreadable("an entry of this matrix is no single expression", place=meta.start_pos)
        if len({len(row) for row in rows}) > 1:
            lengths = ", ".join(str(len(row)) for row in rows)
            raise Unreadable(f"the rows of this matrix have {lengths} entries", place=meta.start_pos)
        entries = tuple(tuple(cell[0].sides[0] for cell in row) for row in rows)
        return tree.Matrix(entries, span=span_of(meta))

    def cases(self, meta: Meta, items: list[Any]) -> tree.Cases:
        rows = []
        for row in [x for x in items if not isinstance(x, Token) and x != [[]]]:
            chains = [[x for x in cell if isinstance(x, tree.Chain)] for cell in row]
            if len(row) != 2 or len(chains[0]) != 1 or chains[0][0].relations:
                raise Unreadable("each row of cases must hold a value & a condition", place=meta.start_pos)
            rows.append((chains[0][0].sides[0], chains[1][0] if chains[1] else None))
        return tree.Cases(tuple(rows), span=span_of(meta))
