"""The displayed equations of a page: every $$, \\[, align environment and math directive."""

import json
import re
from dataclasses import dataclass, replace
from pathlib import Path

from eqproof.project import expand, project

FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*(\{[^}\n]*\})?")
CODE = ("{code}", "{code-block}", "{code-cell}", "{literalinclude}", "{mermaid}", "{bibliography}")
INLINE_CODE = re.compile(r"(?<!`)(`+)(?!`)[^`\n]*(?<!`)\1(?!`)")
DISPLAY = re.compile(
    r"\$\$(?P<dollars>.*?)\$\$(?:[ \t]*\((?P<label>[^()\n]+)\))?"
    r"|(?<!\\)\\\[(?P<bracket>.*?)\\\]"
    r"|\\begin\{(?P<name>align|alignat|flalign|xalignat|equation|gather|multline|eqnarray|IEEEeqnarray|dmath|displaymath)(?P<star>\*?)\}"
    r"(\{\d\}|(?:(?<=IEEEeqnarray\})|(?<=IEEEeqnarray\*\}))\{[lcrLCRsS'?*+.]+\}|(?:(?<=dmath\})|(?<=dmath\*\}))\[[^\[\]]*\])?(?P<environment>.*?)"
    r"\\end\{(?P=name)(?P=star)\}"
    r"|^[ \t]*(?P<fence>`{3,}|:{3,})\{math\}[ \t]*(?P<directive>.*?)^[ \t]*(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
NAMED = re.compile(r"^[ \t]*%[ \t]*(\S+)[ \t]*$", re.MULTILINE)  # a label that no reader sees: % eq-name
UNNAMED = re.compile(r"(?<!\\)%(?![ \t]*[\w:.-]+[ \t]*$).*", re.MULTILINE)  # all other comments
COMMENT = re.compile(r"(?<!\\)%.*")


@dataclass(frozen=True)
class Display:
    """A displayed equation: its page, its label (None without one), its LaTeX, and where it stands."""

    page: str
    label: str | None
    text: str
    where: str


def displays_in(markdown: str, page: str, where: str = "") -> list[Display]:
    """Return the displays in a text of markdown."""
    text = INLINE_CODE.sub(lambda m: " " * len(m.group()), without_code(markdown))
    text = re.sub(r"^[ \t]*>[ \t]?", "", text, flags=re.MULTILINE)
    found = []
    for match in DISPLAY.finditer(text):
        label = match["label"]
        body = match["dollars"] or match["bracket"] or ""
        if match["name"]:
            body = rf"\begin{{aligned}}{match['environment']}\end{{aligned}}"
            named = re.search(r"\\label\{([^{}]*)\}", body)
            label = named.group(1) if named else None
            body = re.sub(r"\\label\{[^{}]*\}", "", body)
        elif match["fence"]:
            named = re.search(r"^[ \t]*:label:[ \t]*(\S+)[ \t]*\n", match["directive"], re.MULTILINE)
            label = named.group(1) if named else None
            body = re.sub(r"^[ \t]*:\w+:.*\n", "", match["directive"], flags=re.M)
        named = NAMED.search(body)
        label = named.group(1) if named else label
        found.append(Display(page, label, COMMENT.sub("", body).strip(), where))
    return found


def without_code(markdown: str) -> str:
    """Return a text without its blocks of code; what stands in a directive such as {warning} or {math} remains."""
    kept = []
    code = None
    open_fences: list[str] = []
    for line in markdown.splitlines(keepends=True):
        fence = FENCE.match(line)
        bare = fence[1] if fence and not fence[2] and not line[fence.end() :].strip() else ""
        if code is not None:
            code = None if bare.startswith(code) else code
            continue
        if open_fences and bare.startswith(open_fences[-1]):
            open_fences.pop()
        elif fence and (not fence[2] or fence[2] in CODE):
            code = fence[1]
            continue
        elif fence:
            open_fences.append(fence[1])
        kept.append(line)
    return "".join(kept)


def body_of(latex: str) -> str:
    """Return what stands between the begin and the end of a document, or all, without what is verbatim."""
    body = latex.partition(r"\begin{document}")[2] or latex
    return re.sub(r"\\begin\{(verbatim|lstlisting)\}.*?\\end\{\1\}", "", body, flags=re.DOTALL)


def displays(path: str | Path) -> list[Display]:
    """Return the displays of a page, an .ipynb, .md or .tex, the project's macros expanded."""
    path = Path(path)
    macros = project(path.parent).macros
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf8"))["cells"]
        sources = [(f"cell {i}", "".join(c["source"])) for i, c in enumerate(cells) if c["cell_type"] == "markdown"]
    elif path.suffix == ".tex":
        sources = [("", body_of(UNNAMED.sub("", path.read_text(encoding="utf8"))))]
    else:
        sources = [("", path.read_text(encoding="utf8"))]
    found = [display for where, source in sources for display in displays_in(source, path.stem, where)]
    return [replace(display, text=expand(display.text, macros)) for display in found]


def title(path: str | Path) -> str:
    """Return the first heading of a page, its name without one."""
    raw = Path(path).read_text(encoding="utf8")
    if Path(path).suffix == ".ipynb":
        raw = "\n".join("".join(cell["source"]) for cell in json.loads(raw)["cells"] if cell["cell_type"] == "markdown")
    heading = re.search(r"^# (.+)$|^(\S.*)\n[=#*]{3,}$", raw, re.M)
    return (heading[1] or heading[2]) if heading else Path(path).stem
