"""Typst for text and formulas: plain text is escaped, and pandoc turns all formulas of the book from TeX into Typst, in one run."""

import json
import re
import subprocess
from collections.abc import Iterable
from pathlib import Path

from bookbuild import ROOT

TYPST_ENVIRONMENT = ROOT / ".venv" / "paper"
SPECIAL = re.compile(r"""[\\#$*_`<>@\[\]~/=+\-'"]|(?<=^\d)\.|(?<=^\d\d)\.""")
COLOR = re.compile(r"\\textcolor\s*\{(\w+)\}\s*")


def escape_typst(text: str) -> str:
    """Return plain text as Typst's markup."""
    return SPECIAL.sub(r"\\\g<0>", text)


def typst_string(text: str) -> str:
    """Return a string of Typst's code."""
    return json.dumps(text, ensure_ascii=False)


def group_end(tex: str, start: int) -> int:
    """Return the end of the group or the single token of TeX that begins at start."""
    if tex[start] != "{":
        token = re.compile(r"\\[A-Za-z]+|.", re.S).match(tex, start)
        assert token is not None, "every character is a token"
        return token.end()
    depth = 0
    for place in range(start, len(tex)):
        depth += {"{": 1, "}": -1}.get(tex[place], 0) if tex[place - 1] != "\\" else 0
        if depth == 0:
            return place + 1
    raise ValueError(f"a brace is not closed: {tex}")


def mark_colors(tex: str) -> str:
    """Return TeX in which the words `blue(` and `)` stand, as text, around what pandoc would not read: \\textcolor."""
    while found := COLOR.search(tex):
        end = group_end(tex, found.end())
        inner = tex[found.end() : end].removeprefix("{").removesuffix("}")
        tex = f"{tex[: found.start()]}{{\\text{{⟦{found[1]}⟧}}{inner}\\text{{⟦⟧}}}}{tex[end:]}"
    return tex


def tex_to_typst(formulas: Iterable[str]) -> dict[str, str]:
    """Return {TeX: Typst} of formulas, by one run of pandoc over a document of its own making."""
    pandoc = next(TYPST_ENVIRONMENT.glob("lib/python*/site-packages/pypandoc/files/pandoc*"))
    todo = list(dict.fromkeys(formulas))
    blocks = [{"t": "Para", "c": [{"t": "Math", "c": [{"t": "DisplayMath"}, mark_colors(tex)]}]} for tex in todo]
    document = json.dumps({"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": blocks})
    command: list[str | Path] = [pandoc, "-f", "json", "-t", "typst", "--wrap=none"]
    done = subprocess.run(command, input=document, capture_output=True, text=True, check=True, encoding="utf8")
    if done.stderr.strip():
        raise ValueError(f"pandoc does not read a formula: {done.stderr.strip()[:2000]}")
    made = [block.strip().removeprefix("$").removesuffix("$").strip() for block in done.stdout.split("\n\n")]
    return dict(zip(todo, map(restore_colors, made), strict=True))


def restore_colors(formula: str) -> str:
    """Return a formula of pandoc's with the colors of its terms."""
    formula = re.sub(r'(?:upright\()?"⟦(\w+)⟧"\)?', r"\1(", formula)
    return re.sub(r'(?:upright\()?"⟦⟧"\)?', ")", formula)
