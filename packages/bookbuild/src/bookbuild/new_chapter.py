"""Begins a page of the book, and says what it still lacks:  make new-chapter NAME=slug TITLE="..." AFTER=page.

What is written passes the checker of equations and executes; each place to fill stands in double angle brackets, <<like this>>.
Called again for a page that is there, it changes nothing and says what is missing.
"""

import argparse
import json
import re
import sys
import tomllib
from pathlib import Path

from bookbuild import ROOT

BLANK = re.compile(r"<<[^<>]+>>")
SLUG = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
CELLS = (  # kind, id, tags, text
    (
        "markdown",
        "opening",
        (),
        """# {title}

<<The question of this page, in two sentences, as a reader would ask it.>>

:::{{admonition}} After this page you can
:class: objectives

- <<do this>>;
- <<and explain that>>.
:::""",
    ),
    (
        "code",
        "imports",
        (),
        "import matplotlib.pyplot as plt\nimport numpy as np\n\nimport robotdyn as rd\n"
        "from eqproof import checked\n\nrd.show.use_book_style()",
    ),
    (
        "markdown",
        "first",
        (),
        """## <<The first idea>>

<<A question, and what the reader predicts.>> A link of mass $m$ whose center of mass moves at the speed $v$ has the kinetic energy

$$
T = \\frac{{1}}{{2}} m v^2
$$ (eq-{slug}-energy)

:::{{dropdown}} What to see
<<The answer to the question above.>>
:::""",
    ),
    ("code", "first-check", ("check",), 'checked("<<a law that the page rests on>>", abs(np.sin(np.pi)), below=1e-12)'),
    (
        "markdown",
        "exercises",
        (),
        """## Exercises

:::{{exercise}} <<A title that does not give the answer away>>
:label: ex-{slug}-first

<<Ask for a number, a formula or a plot.>>
:::

:::{{solution}} ex-{slug}-first
:class: dropdown

<<The way to the answer.>>
:::""",
    ),
    ("markdown", "reading", (), "## Further reading\n\n<<Works of references.bib, and what each is good for.>>"),
)
PROOFS = '''"""Proofs of "{title}": what each letter stands for, and what each displayed equation is compared with."""

import sympy as sp

import robotdyn as rd
from eqproof import Chapter

m = sp.Symbol("m", positive=True)
v = sp.Symbol("v", real=True)
slider = rd.Arm([rd.Link(m, joint="prismatic", axis=(1, 0, 0))])

chapter = Chapter(__file__)
chapter.bind({{"m": m, "v": v}})
chapter.units({{"m": "kg", "v": "m/s"}})
energy = rd.kinetic_energy(slider, [0], [v])
chapter.prove("eq-{slug}-energy", {{"T": energy}}, by="the kinetic energy of a body on a slide")
'''


def begin_chapter(slug: str, title: str, after: str = "", root: Path = ROOT) -> list[Path]:
    """Write the notebook and its proofs, and the line of _toc.yml behind the page `after`.

    Return the files. Raises ValueError, and writes nothing, where the name is none, or taken, or `after` is no page.
    """
    notebook = root / "book" / f"{slug}.ipynb"
    proofs = root / "book" / "proofs" / f"{slug}.py"
    if not SLUG.fullmatch(slug):
        raise ValueError(f"NAME must be small letters, digits and hyphens, such as soft-hands, got {slug!r}")
    for path in (notebook, proofs):
        if path.exists():
            raise ValueError(f"{path.relative_to(root)} is there already: take another NAME")
    toc = root / "_toc.yml"
    lines = toc.read_text(encoding="utf-8").splitlines(keepends=True)
    place = _line_behind(lines, after)
    notebook.write_text(json.dumps(_notebook(slug, title), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    proofs.write_text(PROOFS.format(title=title, slug=slug), encoding="utf-8")
    lines.insert(place, f"      - file: book/{slug}\n")
    toc.write_text("".join(lines), encoding="utf-8")
    return [notebook, proofs, toc]


def _line_behind(lines: list[str], after: str) -> int:
    """Return where the line of a chapter goes: behind that of the page `after`."""
    pages = [i for i, line in enumerate(lines) if re.fullmatch(r"- file: book/[\w-]+", line.strip())]
    found = [i for i in pages if lines[i].strip() == f"- file: book/{after}"]
    if not found:
        known = ", ".join(lines[i].strip().removeprefix("- file: book/") for i in pages)
        raise ValueError(f"AFTER must name a page of _toc.yml, got {after!r}: {known}")
    return found[0] + 1


def _notebook(slug: str, title: str) -> dict:
    """Return the notebook."""
    cells = []
    for kind, name, tags, text in CELLS:
        source = (text.format(slug=slug, title=title) if kind == "markdown" else text).splitlines(keepends=True)
        metadata = {"tags": list(tags)} if tags else {}
        cell = {"cell_type": kind, "id": name, "metadata": metadata, "source": source}
        cells.append(cell if kind == "markdown" else {**cell, "execution_count": None, "outputs": []})
    return {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
            "myst": {"html_meta": {"description": "<<One sentence of at most 160 characters, for search engines.>>"}},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def missing_of_chapter(slug: str, root: Path = ROOT) -> list[str]:
    """Return a line for each thing that the page lacks, of those that its files show."""
    notebook = root / "book" / f"{slug}.ipynb"
    content = json.loads(notebook.read_text(encoding="utf-8"))
    text = "\n".join("".join(cell["source"]) for cell in content["cells"])
    described = content["metadata"].get("myst", {}).get("html_meta", {}).get("description", "")
    blanks = BLANK.findall(text) + BLANK.findall(described)
    tags = [tag for cell in content["cells"] for tag in cell["metadata"].get("tags", [])]
    with open(root / "book" / "subject-index.toml", "rb") as file:
        indexed = tomllib.load(file).get(slug)
    toc = (root / "_toc.yml").read_text(encoding="utf-8")
    way = (root / "book" / "the-way.toml").read_text(encoding="utf-8")
    wanted = {
        f"{len(blanks)} places to fill, the first: {blanks[0] if blanks else ''}": not blanks,
        f"its line in _toc.yml: - file: book/{slug}": re.search(rf"- file: book/{slug}$", toc, re.M),
        "a description for search engines, of at most 160 characters": 0 < len(described) <= 160,
        f"what its equations are compared with: book/proofs/{slug}.py": (root / "book/proofs" / f"{slug}.py").exists(),
        f"terms that it explains: [{slug}] in book/subject-index.toml": indexed,
        "the step of the way at which it stands: its name in book/the-way.toml": f'"{slug}"' in way,
        "a figure that moves: a cell tagged moving-figure": "moving-figure" in tags,
        "a computation that checks the text: a cell tagged check": "check" in tags,
        "a prediction and its answer in a dropdown: What to see": "{dropdown} What to see" in text,
        "three exercises at least": text.count("{exercise}") >= 3,
        "a solution to each exercise": text.count("{solution}") >= text.count("{exercise}"),
        "a work that it cites": "{cite" in text,
    }
    return [line for line, there in wanted.items() if not there]


def main(arguments: list[str]) -> int:
    """Begin the page if it is not there; say what it lacks, and how to go on."""
    parser = argparse.ArgumentParser(prog="make new-chapter", description=__doc__)
    parser.add_argument("name")
    parser.add_argument("--title", default="")
    parser.add_argument("--after", default="")
    options = parser.parse_args(arguments)
    if not (ROOT / "book" / f"{options.name}.ipynb").exists():
        try:
            if not options.title:
                raise ValueError('a new page needs a title: make new-chapter NAME=slug TITLE="Soft hands" AFTER=page')
            for path in begin_chapter(options.name, options.title, options.after):
                print(f"wrote {path.relative_to(ROOT)}")
        except ValueError as error:
            print(f"make new-chapter: {error}", file=sys.stderr)
            return 1
    missing = missing_of_chapter(options.name)
    print(
        "\n".join(["missing:", *(f"- {line}" for line in missing)])
        if missing
        else "nothing is missing that can be seen here"
    )
    print(f"then: .venv/bin/python -m eqproof {options.name}, make format book test, and the list in CONTRIBUTING.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
