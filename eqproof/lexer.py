"""What a bar and the end of a row mean while the tokens go by: bars open or close, the rows of aligned go on or start."""

from lark import Token

from eqproof.errors import Unreadable

GOES_ON = ["REL", "PLUS", "MINUS", "CDOT", "TIMES"]
OPENERS = [
    *GOES_ON,
    *["SLASH", "LPAR", "LBRACK", "LBRACE", "COMMA", "SEP", "AMP", "NEWLINE", "LMATRIX", "LCASES", "LBAR", "LNORM"],
]


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
