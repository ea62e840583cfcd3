"""What claims nothing, code and what is verbatim, becomes spaces, so that all else keeps its place; in one pass."""

import re

CODE = re.compile(  # also the cells of Quarto; a directive such as math or warning is none
    r"^[ \t]*(?P<fence>`{3,}|~{3,})([ \t]*\w*[ \t]*$|[ \t]*\{(?:code|python|r|julia|ojs|mermaid|dot)\b)", re.MULTILINE
)
VERBATIM = re.compile(r"\\begin\{(?P<name>verbatim|lstlisting|minted|comment)\}")


def blank_match(match: re.Match[str]) -> str:
    """Return as many spaces as what was found has characters, its lines kept."""
    return blank_text(match.group())


def blank_text(text: str) -> str:
    """Return as many spaces as a text has characters, its lines kept."""
    return re.sub(r"[^\n]", " ", text)


def blank_environments(opening: re.Pattern[str], text: str) -> str:
    """Return a text with spaces from each opening to its end; one without an end stays."""
    kept = []
    at = 0
    last = 0
    missing: set[str] = set()  # ends that do not stand in the rest of the text
    while match := opening.search(text, at):
        parts = match.groupdict()
        closing = rf"\\end\{{{parts['name']}\}}" if "name" in parts else rf"^[ \t]*{parts['fence']}[ \t]*$"
        end = None if closing in missing else re.compile(closing, re.MULTILINE).search(text, match.end())
        if end is None:
            missing.add(closing)
            at = match.end()
        else:
            kept += [text[last : match.start()], blank_text(text[match.start() : end.end()])]
            at = last = end.end()
    return "".join([*kept, text[last:]])
