"""Searches a built student's edition for what only solutions and the teacher's pages say: in pages, notebooks, zips, the index of the search, PDF and EPUB."""

import html
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from sphinx.search.en import SearchEnglish

from bookbuild import PUBLISHED
from bookbuild.edition import PAGES_FOR_TEACHERS

QUOTED_FOLDERS = ("robotdyn", *(f"packages/{name}/src" for name in PUBLISHED), "book/proofs")  # whose words pages quote
NGRAM = 6  # words in a row that stand nowhere else give a text away
SOLUTION = re.compile(r"^(:{3,})\{solution\}.*?^\1 *$", re.M | re.S)
ANSWER = re.compile(
    r"### BEGIN SOLUTION.*?(?:### END SOLUTION|\Z)", re.S
)  # in a cell of an assignment, as nbgrader cuts it
LABEL = re.compile(r"\((eq-[\w-]+)\)")
TAGS = re.compile(r"<(script|style|mjx-container|math).*?</\1>|</?[a-zA-Z][^>]*>", re.S)
TERM = re.compile(r"\{term\}`([^`<]*?)(?:\s*<[^`>]*>)?`")
TEXT_BREAK = re.compile(r"\$[^$\n]*\$|\{[\w:]+\}`[^`]*`|[^\w\s*`,;:'’-]+")


def ngrams(text: str) -> set[str]:
    """Return the runs of NGRAM plain words in a text, formulas and marks between them apart; each as one string.

    A term reads as its words, as on the page, and as a mark, as before that.
    """
    found: set[str] = ngrams(TERM.sub(r"\1", text)) if TERM.search(text) else set()
    for piece in TEXT_BREAK.split(text):
        words = re.findall(r"[^\W\d_]+", piece.lower())
        found.update(" ".join(words[k : k + NGRAM]) for k in range(len(words) - NGRAM + 1))
    return found


def visible_and_hidden_texts(root: Path) -> tuple[list[str], list[str]]:
    """Return two lists of texts: what every reader sees of the book's sources, and what no student shall see."""
    seen = []
    hidden = []
    for path in sorted((root / "book").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf8"))["cells"]:
            text = "".join(cell["source"])
            hidden += [m[0] for m in SOLUTION.finditer(text)]
            seen += [SOLUTION.sub("", text), json.dumps(cell["metadata"], ensure_ascii=False)]  # captions, too
    teachers = {root / f"{name}.md" for name in PAGES_FOR_TEACHERS}
    hidden += [path.read_text("utf8") for path in sorted(teachers)]
    seen += [path.read_text("utf8") for path in sorted((root / "book").glob("*.md")) if path not in teachers]
    seen += [path.read_text("utf8") for folder in QUOTED_FOLDERS for path in sorted((root / folder).rglob("*.py"))]
    for path in sorted((root / "exercises").glob("*/*.ipynb")):  # an assignment is handed out, what answers it is not
        for cell in json.loads(path.read_text("utf8"))["cells"]:
            text = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                (hidden if "nbgrader" in cell["metadata"] else seen).append(text)
            else:  # imports, of which solutions of projects have some, too
                seen.append(ANSWER.sub("", text))
    return seen, hidden


def published_files(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the content and the plain text of each file of a folder, and of each member of a zip."""
    for path in sorted(folder.rglob("*")):
        if path.suffix in (".html", ".xhtml", ".md", ".js", ".txt", ".typ"):
            content = html.unescape(path.read_text("utf8"))
            text = TAGS.sub(lambda tag: "|" if tag[1] else "", content) if path.suffix.endswith("html") else content
            yield path.name, content, text
        elif path.suffix == ".ipynb":
            yield path.name, "", _notebook_text(path.read_text("utf8"))
        elif path.suffix == ".zip":
            with zipfile.ZipFile(path) as packed:
                for name in packed.namelist():
                    if name.endswith((".md", ".ipynb")):
                        text = packed.read(name).decode()
                        yield f"{path.name}: {name}", "", _notebook_text(text) if name.endswith("b") else text


def _notebook_text(notebook: str) -> str:
    return "\n\n".join("".join(cell["source"]) for cell in json.loads(notebook)["cells"])


def find_leaks(folder: Path, root: Path) -> list[str]:
    """Return sentences on what a folder gives away; none, if it is fit for students."""
    seen, hidden = visible_and_hidden_texts(root)
    secret = set().union(*map(ngrams, hidden)).difference(*map(ngrams, seen))
    labels = [label for text in hidden for label in LABEL.findall(text)]
    marks = re.compile("|".join(rf'(?:id="equation-|#proof-){label}"' for label in labels) or "(?!)")
    found = []
    words = set()
    for name, content, text in published_files(folder):
        found += [f"{name} says: {ngram}" for ngram in sorted(secret & ngrams(text))[:3]]
        found += [f"{name} holds {mark}" for mark in sorted(set(marks.findall(content)))]
        if name != "searchindex.js":
            words |= {word.lower() for word in re.findall(r"[^\W\d_]+", text)}
    for name in PAGES_FOR_TEACHERS:
        found += [f"{path.name} is a page for teachers" for path in folder.rglob(f"{name.split('/')[-1]}.*")]
    index = folder / "searchindex.js"
    if index.exists():
        stem = SearchEnglish({}).stem
        terms = set(json.loads(index.read_text("utf8").removeprefix("Search.setIndex(").removesuffix(")"))["terms"])
        own = {stem(word) for word in re.findall(r"[^\W\d_]{4,}", "\n".join(hidden).lower())} - {
            stem(word) for word in words
        }
        found += [f"the search finds the word {term}" for term in sorted(terms & own)]
    return found
