"""Makes the lecture slides, a deck for each chapter, from the pages of the built book: `make slides`, into _build/slides.

A section begins a slide. By itself come: the opening, the goals and the summary of a page, displayed equations with their
numbers and the words that lead to them, figures (they move), boxes, code of at most 15 lines with what it shows, questions,
and sentences that hold a term in bold. Marks in the text choose more, or less, and a cell leaves its labels away
(bookbuild.slide_choices). A question stands above its figure, the answer on the next slide. bookbuild/slides/deck.js parts what
is longer than a slide; reveal.js, kept in .venv/slides, shows it.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import yaml
from bs4 import BeautifulSoup, NavigableString

from bookbuild import build_book, slide_choices
from bookbuild.edition import edition
from bookbuild.slide_sentences import GOAL_OPENINGS, is_mark, is_question, sentence_class, sentences

Tag: TypeAlias = Any  # of BeautifulSoup, which finds text or nothing in the same way

HERE = Path(__file__).parent / "slides"
REVEAL = build_book.ROOT / ".venv" / "slides" / "package" / "dist"
CODE_LINES = 15  # of code, at most
DECK_TEMPLATE = """<!DOCTYPE html>
<html lang="en" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="_static/logo.svg">
<link rel="stylesheet" href="_static/reveal.css">
<link rel="stylesheet" href="_static/formulas.css">
<link rel="stylesheet" href="_static/pygments.css">
<link rel="stylesheet" href="_static/book.css">
<link rel="stylesheet" href="_static/deck.css">
</head>
<body>
{body}
</body>
</html>
"""


def main(arguments: Sequence[str] = ()) -> int:
    """Make all decks; return the exit code."""
    if arguments:
        print(f"slides.py takes no arguments, got {' '.join(arguments)}", file=sys.stderr)
        return 2
    try:
        edition()
        refuse_problems()
        os.environ["EDITION"] = "reader"  # a deck holds no solution: it is the same for all
        if not build_book.is_up_to_date() and (code := build_book.main()):
            return code
        made = build_decks(build_book.BUILD / "html", build_book.BUILD / "slides")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 2
    print(f"\n{len(made)} decks are made. Open {(build_book.BUILD / 'slides' / 'index.html').as_uri()}")
    return 0


def refuse_problems() -> None:
    """Read what all notebooks choose for their slides; raises ValueError with a sentence for each choice without effect."""
    found = [
        problem
        for _, slugs in chapters()
        for slug in slugs
        for problem in slide_choices.problems(notebook(slug), f"book/{slug}.ipynb")
    ]
    if found:
        raise ValueError("\n".join(found))


def notebook(slug: str) -> dict[str, Any]:
    """Return the notebook of a page."""
    return json.loads((build_book.ROOT / "book" / f"{slug}.ipynb").read_text("utf8"))


def build_decks(site: Path, out: Path) -> list[str]:
    """Write the decks of a built book into a folder, whole or not at all; return their names."""
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".slides-") as place:
        made = write_decks(site, Path(place) / out.name)
        shutil.rmtree(out, ignore_errors=True)
        shutil.move(Path(place) / out.name, out)
    return made


def write_decks(site: Path, out: Path) -> list[str]:
    """Write the decks of a built book into a new folder; return their names."""
    (out / "_static").mkdir(parents=True)
    wanted = set()
    entries = []
    for part, slugs in chapters():
        entries.append(f"<h2>{part}</h2>")
        for slug in slugs:
            soup: Tag = BeautifulSoup("\n".join(map(str, Page(site, slug).slides())), "html.parser")
            make_self_contained(soup)
            wanted |= {Path(image["src"]).name for image in soup.select('img[src*="_images/"]')}
            title = soup.h1.get_text()
            script = '<script src="_static/reveal.js"></script>\n<script src="_static/deck.js"></script>'
            body = f'<div class="reveal"><div class="slides">\n{soup}\n</div></div>\n{script}'
            (out / f"{slug}.html").write_text(DECK_TEMPLATE.format(title=title, body=body), "utf8")
            entries.append(f'<p><a href="{slug}.html">{title}</a></p>')
    about = "Arrow keys or Space turn the slides, Escape shows all, F fills the screen."
    body = f'<main class="contents"><h1>Lecture slides</h1><p>{about}</p>{"".join(entries)}</main>'
    (out / "index.html").write_text(DECK_TEMPLATE.format(title="Lecture slides", body=body), "utf8")
    (out / "_images").mkdir()
    for name in sorted(wanted):
        shutil.copy(site / "_images" / name, out / "_images")
    for path in (REVEAL / "reveal.css", REVEAL / "reveal.js", HERE / "deck.css", HERE / "deck.js"):
        shutil.copy(path, out / "_static")
    for name in ("formulas.css", "pygments.css", "book.css", "logo.svg"):
        shutil.copy(site / "_static" / name, out / "_static")
    shutil.copytree(site / "_static" / "mathjax", out / "_static" / "mathjax")
    return [slug for _, slugs in chapters() for slug in slugs]


def chapters() -> list[tuple[str, list[str]]]:
    """Return [(part, its chapters)] of _toc.yml, of those that are notebooks."""
    toc = yaml.safe_load((build_book.ROOT / "_toc.yml").read_text("utf8"))
    made = []
    for part in toc["parts"]:
        pages = [x["file"] for x in part["chapters"]]
        names = [Path(page).name for page in pages if (build_book.ROOT / f"{page}.ipynb").exists()]
        if part.get("caption") != "Appendix" and names:
            made.append((part["caption"], names))
    return made


# where: say what stands on a slide
# the rule; exceptions stand in the text and the metadata of its cells (`bookbuild.slide_choices`); the look:
# `bookbuild/slides/deck.js` and `deck.css`
class Page:
    """A page of the built book, and what the cells of its notebook say of slides."""

    def __init__(self, site: Path, slug: str) -> None:
        self.slug = slug
        self.omitted = set(slide_choices.omitted_labels(notebook(slug)))
        self.used_choices: list[Any] = []  # labels, and marks: comments of the page
        page: Tag = BeautifulSoup((site / "book" / f"{slug}.html").read_text("utf8"), "html.parser")
        self.article: Tag = page.select_one("article.bd-article > section")
        for button in self.article.select(".run-chapter"):  # of `make lite`: a deck has no cells to run
            button.decompose()

    def slides(self) -> list[str]:
        """Return the slides of the page, HTML each; raises ValueError if it has a mark, or a label, that chose nothing."""
        sections = [self.article, *(x for x in self.article.select("section") if x.parent.name == "section")]
        made = [slide for section in sections for slide in self.section(section)]
        marks = [
            x.parent.get_text()[:60]
            for x in self.article.find_all(string=is_mark)
            if not any(x is y for y in self.used_choices)
        ]
        if unmet := [*marks, *sorted(self.omitted.difference(x for x in self.used_choices if type(x) is str))]:
            raise ValueError(
                f"book/{self.slug}.ipynb chooses for its slides what no slide could show: {', '.join(unmet)}"
            )
        return made

    def section(self, section: Tag) -> Iterator[str]:
        """Yield the slides of a section without those within it."""
        heading = section.find(["h1", "h2", "h3", "h4"], recursive=False)
        first = section is self.article
        words = heading.decode_contents().split('<a class="headerlink"')[0]
        if heading.get_text().strip("# ").split(". ", 1)[-1] in slide_choices.SEPARATE_SECTIONS:
            yield from exercises(words, section)
            return
        blocks = list(self.blocks(section, summary=section.get("id", "").startswith("summary")))
        if first:
            at = next((k for k, block in enumerate(blocks) if "goals" in block), len(blocks))
            yield f'<section class="title"><h1>{words}</h1>{"".join(blocks[:at])}</section>'
            blocks = blocks[at:]
            words = re.sub("<[^>]*>", "", words)
        head = f"<h2>{words}</h2>"
        rest: list[str] = []
        for block in blocks:
            if 'class="answer"' in block:
                yield from [f"<section>{head}{''.join(rest)}</section>"] if rest else []
                yield f"<section>{head}{block}</section>"
                rest = []
            elif "rd-figure" in block:
                yield f"<section>{head}{''.join(rest)}{block}</section>"
                rest = []
            else:
                rest.append(block)
        if rest:
            yield f"<section>{head}{''.join(rest)}</section>"

    # what stands in a section

    def blocks(self, section: Tag, summary: bool = False) -> Iterator[str]:
        """Yield the blocks of a section, HTML each, in their order."""
        things: list[Tag] = [x for x in section.children if not isinstance(x, NavigableString) and x.name != "section"]
        opening = self.article.find("p")
        for before, thing, after in zip([None, *things], things, [*things[1:], None]):
            if thing.name == "p":
                yield from self.paragraph(
                    thing, is_displayed_equation(after), is_displayed_equation(before), summary or thing is opening
                )
            elif thing.name in ("ul", "ol"):
                goals = before is not None and before.get_text().startswith(GOAL_OPENINGS)
                goal = ' class="goals"' if goals else ""
                yield f"<{thing.name}{goal}>{thing.decode_contents()}</{thing.name}>"
            else:
                yield from self.block(thing)

    def block(self, thing: Tag) -> Iterator[str]:
        """Yield what is neither a paragraph nor a list: an equation, a cell, a figure, an answer, a box, a table, a quote."""
        classes = thing.get("class", [])
        if is_displayed_equation(thing):
            yield from self.labeled(thing.get("id", "").removeprefix("equation-"), thing)
        elif "cell" in classes:
            yield from self.cell(thing)
        elif thing.name == "figure":
            yield from self.figure(thing)
        elif thing.name == "details" and "sd-dropdown" in classes:
            yield from self.answer(thing)
        elif "admonition" in classes and thing.find("p").get_text() != "Prerequisites":
            yield from self.labeled(thing.get("id", ""), f'<aside class="box">{thing.decode_contents()}</aside>')
        elif thing.name == "table" or "pst-scrollable-table-container" in classes:
            yield from self.table(thing)
        elif thing.name == "blockquote":
            yield str(thing)

    def labeled(self, label: str, block: object) -> Iterator[str]:
        """Yield a block, unless its cell leaves its label away."""
        if label in self.omitted:
            self.used_choices.append(label)
        else:
            yield str(block)

    def paragraph(self, paragraph: Tag, leads: bool, follows: bool, complete: bool) -> Iterator[str]:
        """Yield the sentences of a paragraph that a slide shows; a short one that ends in a question is shown as one.

        leads: an equation comes after it; follows: one stands before it; complete: all its sentences are shown.
        """
        self.used_choices += paragraph.find_all(string=is_mark)
        kept = [x for x in sentences(paragraph) if x.mark != slide_choices.LEAVE]
        if is_question(kept):
            yield f'<p class="ask">{" ".join(sentence.html for sentence in kept)}</p>'
            return
        for k, sentence in enumerate(kept):
            continues = follows and k == 0 and sentence.text[:1].islower()
            kind = sentence_class(sentence, leads and k == len(kept) - 1, continues, complete)
            if kind:
                yield f'<p class="{kind}">{sentence.html}</p>'

    def answer(self, fold: Tag) -> Iterator[str]:
        """Yield what to see: the answer to a question, for the slide after it."""
        title = fold.find("summary").get_text(strip=True)
        body = fold.select_one(".sd-summary-content")
        inner = "".join(f"<p>{x.html}</p>" for p in body.find_all("p", recursive=False) for x in sentences(p))
        inner = inner or body.decode_contents()
        yield f'<div class="answer"><h3>{title}</h3>{inner}</div>'

    def cell(self, cell: Tag) -> Iterator[str]:
        """Yield the code of a cell, if it is short, and what it shows."""
        classes = cell["class"]
        if "tag_check" in classes or "tag_no-slide" in classes:
            return
        outputs = cell.select(".cell_output > *")
        code = cell.select_one(".cell_input pre") if "tag_hide-input" not in classes else None
        if code is not None and is_short_code(code):
            kind = "highlight lead" if outputs else "highlight"
            yield f'<div class="{kind}"><pre>{code.decode_contents()}</pre></div>'
        for output in outputs:
            yield from self.output(output)

    def output(self, output: Tag) -> Iterator[str]:
        """Yield one output of a cell: a figure, what moves, a picture, short text, a formula, a table."""
        if output.name == "figure":
            yield from self.figure(output)
        elif output.select_one(".rd-figure"):
            yield f'<div class="moves">{output.decode_contents()}</div>'
        elif output.find("img"):
            yield from self.picture(output.find("img"))
        elif "stream" in output["class"] or "text_plain" in output["class"]:
            if len(output.get_text().splitlines()) <= CODE_LINES:
                yield f'<pre class="shown">{output.pre.decode_contents()}</pre>'
        elif is_displayed_equation(output):
            yield str(output)
        elif output.find("table"):
            yield from self.table(output)

    def figure(self, figure: Tag) -> Iterator[str]:
        """Yield a figure with its caption."""
        image = figure.select_one("img.rd-light") or figure.find("img")
        caption = figure.find("figcaption")
        yield from self.labeled(figure.get("id", ""), figure_html(image, caption))

    def picture(self, image: Tag) -> Iterator[str]:
        """Yield a picture without a caption."""
        if image:
            yield figure_html(image, None)

    def table(self, table: Tag) -> Iterator[str]:
        """Yield a table that fits a slide."""
        if len(table.select("tr")) <= 9:
            yield str(table.find("table") if table.name != "table" else table)


def figure_html(image: Tag, caption: Tag | None) -> str:
    """Return a picture as large as fits, its caption beside it or, if it is wide, below it."""
    image["loading"] = "eager"
    image["class"] = []
    wide = float(image.get("width", 1)) > 1.75 * float(image.get("height", 1))
    words = caption.p.decode_contents().split('<a class="headerlink"')[0] if caption and caption.p else ""
    below = f"<figcaption>{words}</figcaption>" if words else ""
    return f'<figure class="{"wide" if wide else "tall"}">{image}{below}</figure>'


def exercises(words: str, section: Tag) -> Iterator[str]:
    """Yield a slide with the titles of the exercises: the class has their text."""
    titles = [x.p.decode_contents() for x in section.select("div.exercise.admonition")]
    if titles and section.get("id") == "exercises":
        yield f'<section><h2>{words}</h2><ul class="exercises">{"".join(f"<li>{x}</li>" for x in titles)}</ul></section>'


def is_displayed_equation(node: Tag | None) -> bool:
    """Return whether a node is a displayed equation."""
    return node is not None and "math" in node.get("class", []) and node.name == "div"


def is_short_code(code: Tag) -> bool:
    """Return whether code has lines, at most CODE_LINES, and does more than import."""
    lines = code.get_text().rstrip().splitlines()
    return 0 < len(lines) <= CODE_LINES and not lines[0].startswith(("import ", "from "))


def make_self_contained(soup: Tag) -> None:
    """Take out of a deck what leads elsewhere, and what it holds twice: a deck stands alone."""
    for mark in soup.select("a.proof-mark, a.headerlink, noscript, mjx-assistive-mml ~ mjx-assistive-mml"):
        mark.decompose()
    for image in soup.select("img.rd-dark"):
        image.decompose()
    for link in soup.select("a"):
        link.unwrap()
    for image in soup.select("img[src]"):
        image["src"] = image["src"].replace("../_images/", "_images/")
    seen = set()
    for thing in soup.select("script, style"):
        if thing.string in seen:
            thing.decompose()
        else:
            seen.add(thing.string)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
