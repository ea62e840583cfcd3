"""The displayed equations of the book, read from its pages: every $$, \\[, align environment and math directive."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})[ \t]*(\{[^}\n]*\})?")
CODE = ("{code}", "{code-block}", "{code-cell}", "{literalinclude}", "{mermaid}", "{bibliography}")
INLINE_CODE = re.compile(r"(?<!`)(`+)(?!`)[^`\n]*(?<!`)\1(?!`)")
DISPLAY = re.compile(
    r"\$\$(?P<dollars>.*?)\$\$(?:[ \t]*\((?P<label>[^()\n]+)\))?"
    r"|(?<!\\)\\\[(?P<bracket>.*?)\\\]"
    r"|\\begin\{(?P<name>align|equation|gather|multline|eqnarray)(?P<star>\*?)\}(?P<environment>.*?)\\end\{(?P=name)(?P=star)\}"
    r"|^(?P<fence>`{3,}|:{3,})\{math\}[ \t]*\n(?P<directive>.*?)^(?P=fence)[ \t]*$",
    re.DOTALL | re.MULTILINE,
)


@dataclass(frozen=True)
class Display:
    """A displayed equation: its page, its label (None without one), its LaTeX, and where it stands."""

    page: str
    label: str | None
    text: str
    where: str


def displays_in(markdown, page, where=""):
    """Return the displays in a text of markdown."""
    text = INLINE_CODE.sub(lambda m: " " * len(m.group()), without_code(markdown))
    text = re.sub(r"^[ \t]*>[ \t]?", "", text, flags=re.MULTILINE)
    found = []
    for match in DISPLAY.finditer(text):
        label, body = match["label"], match["dollars"] or match["bracket"] or ""
        if match["name"]:
            body = rf"\begin{{aligned}}{match['environment']}\end{{aligned}}"
            named = re.search(r"\\label\{([^{}]*)\}", body)
            label, body = (named.group(1) if named else None), re.sub(r"\\label\{[^{}]*\}", "", body)
        elif match["fence"]:
            named = re.search(r"^:label:[ \t]*(\S+)[ \t]*\n", match["directive"], re.MULTILINE)
            label, body = (named.group(1) if named else None), re.sub(r"^:\w+:.*\n", "", match["directive"], flags=re.M)
        found.append(Display(page, label, body.strip(), where))
    return found


def without_code(markdown):
    """Return a text without its blocks of code; what stands in a directive such as {warning} or {math} remains."""
    kept, code, open_fences = [], None, []
    for line in markdown.splitlines(keepends=True):
        fence = FENCE.match(line)
        bare = fence and not fence[2] and not line[fence.end() :].strip()
        if code is not None:
            code = None if bare and fence[1].startswith(code) else code
            continue
        if bare and open_fences and fence[1].startswith(open_fences[-1]):
            open_fences.pop()
        elif fence and (not fence[2] or fence[2] in CODE):
            code = fence[1]
            continue
        elif fence:
            open_fences.append(fence[1])
        kept.append(line)
    return "".join(kept)


def displays(path):
    """Return the displays of a page, an .ipynb or an .md."""
    path = Path(path)
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf8"))["cells"]
        sources = [(f"cell {i}", "".join(c["source"])) for i, c in enumerate(cells) if c["cell_type"] == "markdown"]
    else:
        sources = [("", path.read_text(encoding="utf8"))]
    return [display for where, source in sources for display in displays_in(source, path.stem, where)]


def book_pages(root):
    """Return the paths of the pages in the order of _toc.yml."""
    root = Path(root)
    slugs = re.findall(r"^\s*-?\s*(?:root|file):\s*(\S+)", (root / "_toc.yml").read_text(encoding="utf8"), re.MULTILINE)
    found = []
    for slug in slugs:
        page = [root / f"{slug}{suffix}" for suffix in (".ipynb", ".md") if (root / f"{slug}{suffix}").exists()]
        if not page:
            raise FileNotFoundError(f"_toc.yml names {slug}, and there is no such page")
        found.append(page[0])
    return found
