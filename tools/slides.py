"""Makes the lecture slides, a deck for each chapter, from the pages of the built book: `make slides`, into _build/slides.

A section begins a slide. By itself come: the opening, the goals and the summary of a page, displayed equations with their
numbers and the words that lead to them, figures (they move), boxes, code of at most 15 lines with what it shows, questions,
and sentences that hold a term in bold. Marks in the text choose more, or less, and a cell leaves its labels away
(tools/slide_choices.py). A question stands above its figure, the answer on the next slide. tools/slides/deck.js parts what
is longer than a slide; reveal.js, kept in .venv/slides, shows it.
"""

import json
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import build_book
import slide_choices
import yaml
from bs4 import BeautifulSoup, Comment, NavigableString
from edition import edition

HERE = Path(__file__).parent / "slides"
REVEAL = build_book.ROOT / ".venv" / "slides" / "package" / "dist"
CODE_LINES = 15  # of code, at most
QUESTION_SENTENCES = 3  # sentences of a question, at most
LEAD_LENGTH = 240  # letters of a sentence that leads to an equation, at most
GOAL_OPENINGS = ("After this page", "After this chapter")
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


def main(arguments=()):
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


def refuse_problems():
    """Read what all notebooks choose for their slides; raises ValueError with a sentence for each choice without effect."""
    found = [
        problem
        for _, chapters_of_part in chapters()
        for slugs in chapters_of_part
        for slug in slugs
        for problem in slide_choices.problems(notebook(slug), f"book/{slug}.ipynb")
    ]
    if found:
        raise ValueError("\n".join(found))


def notebook(slug):
    """Return the notebook of a page."""
    return json.loads((build_book.ROOT / "book" / f"{slug}.ipynb").read_text("utf8"))


def build_decks(site, out):
    """Write the decks of a built book into a folder, whole or not at all; return their names."""
    with tempfile.TemporaryDirectory(dir=out.parent, prefix=".slides-") as place:
        made = write_decks(site, Path(place) / out.name)
        shutil.rmtree(out, ignore_errors=True)
        shutil.move(Path(place) / out.name, out)
    return made


def write_decks(site, out):
    """Write the decks of a built book into a new folder; return their names."""
    (out / "_static").mkdir(parents=True)
    wanted, entries = set(), []
    for part, names in chapters():
        entries.append(f"<h2>{part}</h2>")
        for slugs in names:
            slides = [slide for slug in slugs for slide in Page(site, slug).slides()]
            soup = BeautifulSoup("\n".join(map(str, slides)), "html.parser")
            make_self_contained(soup)
            wanted |= {Path(image["src"]).name for image in soup.select('img[src*="_images/"]')}
            title = soup.h1.get_text()
            script = '<script src="_static/reveal.js"></script>\n<script src="_static/deck.js"></script>'
            body = f'<div class="reveal"><div class="slides">\n{soup}\n</div></div>\n{script}'
            (out / f"{slugs[0]}.html").write_text(DECK_TEMPLATE.format(title=title, body=body), "utf8")
            entries.append(f'<p><a href="{slugs[0]}.html">{title}</a></p>')
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
    return [slugs[0] for _, names in chapters() for slugs in names]


def chapters():
    """Return [(part, [the pages of each chapter])] of _toc.yml, of those that are notebooks."""
    toc = yaml.safe_load((build_book.ROOT / "_toc.yml").read_text("utf8"))
    made = []
    for part in toc["parts"]:
        pages = [[x["file"], *(y["file"] for y in x.get("sections", ()))] for x in part["chapters"]]
        names = [[Path(name).name for name in x] for x in pages if (build_book.ROOT / f"{x[0]}.ipynb").exists()]
        if part.get("caption") != "Appendix" and names:
            made.append((part["caption"], names))
    return made


class Page:
    """A page of the built book, and what the cells of its notebook say of slides."""

    def __init__(self, site, slug):
        self.slug, self.omitted, self.used_choices = slug, set(slide_choices.omitted_labels(notebook(slug))), []
        page = BeautifulSoup((site / "book" / f"{slug}.html").read_text("utf8"), "html.parser")
        self.article = page.select_one("article.bd-article > section")
        for button in self.article.select(".run-chapter"):  # of `make lite`: a deck has no cells to run
            button.decompose()

    def slides(self):
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

    def section(self, section):
        """Yield the slides of a section without those within it."""
        heading, first = section.find(["h1", "h2", "h3", "h4"], recursive=False), section is self.article
        words = heading.decode_contents().split('<a class="headerlink"')[0]
        if heading.get_text().strip("# ").split(". ", 1)[-1] in slide_choices.SEPARATE_SECTIONS:
            yield from exercises(words, section)
            return
        blocks = list(self.blocks(section, summary=section.get("id", "").startswith("summary")))
        if first:
            at = next((k for k, block in enumerate(blocks) if "goals" in block), len(blocks))
            yield f'<section class="title"><h1>{words}</h1>{"".join(blocks[:at])}</section>'
            blocks, words = blocks[at:], re.sub("<[^>]*>", "", words)
        head, rest = f"<h2>{words}</h2>", []
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

    def blocks(self, section, summary=False):
        """Yield the blocks of a section, HTML each, in their order."""
        things = [x for x in section.children if not isinstance(x, NavigableString) and x.name != "section"]
        opening = self.article.find("p")
        for k, thing in enumerate(things):
            after, before = things[k + 1] if k + 1 < len(things) else None, things[k - 1] if k else None
            classes = thing.get("class", [])
            if thing.name == "p":
                yield from self.paragraph(thing, is_math(after), is_math(before), summary or thing is opening)
            elif is_math(thing):
                yield from self.labeled(thing.get("id", "").removeprefix("equation-"), thing)
            elif thing.name in ("ul", "ol"):
                goal = ' class="goals"' if before is not None and before.get_text().startswith(GOAL_OPENINGS) else ""
                yield f"<{thing.name}{goal}>{thing.decode_contents()}</{thing.name}>"
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

    def labeled(self, label, block):
        """Yield a block, unless its cell leaves its label away."""
        if label in self.omitted:
            self.used_choices.append(label)
        else:
            yield str(block)

    def paragraph(self, paragraph, leads, follows, whole):
        """Yield the sentences of a paragraph that a slide shows; a short one that ends in a question is shown as one."""
        self.used_choices += paragraph.find_all(string=is_mark)
        shown_sentences = [x for x in sentences(paragraph) if x.mark != slide_choices.LEAVE]
        if not shown_sentences:
            return
        if shown_sentences[0].text.startswith("Before you") or (
            shown_sentences[-1].text.endswith("?") and len(shown_sentences) <= QUESTION_SENTENCES
        ):
            yield f'<p class="ask">{" ".join(sentence.html for sentence in shown_sentences)}</p>'
            return
        for k, sentence in enumerate(shown_sentences):
            text, wanted = sentence.text, sentence.mark == slide_choices.SHOW
            goes_on = follows and k == 0 and text[:1].islower()
            if leads and k == len(shown_sentences) - 1 and (wanted or len(text) <= LEAD_LENGTH):
                yield f'<p class="lead">{sentence.html}</p>'
            elif text.startswith(GOAL_OPENINGS):
                yield f'<p class="goals lead">{sentence.html}</p>'
            elif text.endswith("?"):
                yield f'<p class="ask">{sentence.html}</p>'
            elif wanted or whole or goes_on or "<strong>" in sentence.html:
                yield f'<p class="{"on" if goes_on else "key"}">{sentence.html}</p>'

    def answer(self, fold):
        """Yield what to see: the answer to a question, for the slide after it."""
        title, body = fold.find("summary").get_text(strip=True), fold.select_one(".sd-summary-content")
        inner = "".join(f"<p>{x.html}</p>" for p in body.find_all("p", recursive=False) for x in sentences(p))
        inner = inner or body.decode_contents()
        yield f'<div class="answer"><h3>{title}</h3>{inner}</div>'

    def cell(self, cell):
        """Yield the code of a cell, if it is short, and what it shows."""
        classes = cell["class"]
        if "tag_check" in classes or "tag_no-slide" in classes:
            return
        code = cell.select_one(".cell_input pre") if "tag_hide-input" not in classes else None
        lines = code.get_text().rstrip().splitlines() if code else []
        outputs = cell.select(".cell_output > *")
        if lines and len(lines) <= CODE_LINES and not lines[0].startswith(("import ", "from ")):
            kind = "highlight lead" if outputs else "highlight"
            yield f'<div class="{kind}"><pre>{code.decode_contents()}</pre></div>'
        for output in outputs:
            if output.name == "figure":
                yield from self.figure(output)
            elif output.select_one(".rd-figure"):
                yield f'<div class="moves">{output.decode_contents()}</div>'
            elif output.find("img"):
                yield from self.picture(output.find("img"))
            elif "stream" in output["class"] or "text_plain" in output["class"]:
                if len(output.get_text().splitlines()) <= CODE_LINES:
                    yield f'<pre class="shown">{output.pre.decode_contents()}</pre>'
            elif is_math(output):
                yield str(output)
            elif output.find("table"):
                yield from self.table(output)

    def figure(self, figure):
        """Yield a figure with its caption."""
        image, caption = figure.select_one("img.rd-light") or figure.find("img"), figure.find("figcaption")
        yield from self.labeled(figure.get("id", ""), figure_html(image, caption))

    def picture(self, image):
        """Yield a picture without a caption."""
        if image:
            yield figure_html(image, None)

    def table(self, table):
        """Yield a table that fits a slide."""
        if len(table.select("tr")) <= 9:
            yield str(table.find("table") if table.name != "table" else table)


def figure_html(image, caption):
    """Return a picture as large as fits, its caption beside it or, if it is wide, below it."""
    image["loading"] = "eager"
    image["class"] = []
    wide = float(image.get("width", 1)) > 1.75 * float(image.get("height", 1))
    words = caption.p.decode_contents().split('<a class="headerlink"')[0] if caption and caption.p else ""
    below = f"<figcaption>{words}</figcaption>" if words else ""
    return f'<figure class="{"wide" if wide else "tall"}">{image}{below}</figure>'


def exercises(words, section):
    """Yield a slide with the titles of the exercises: the class has their text."""
    titles = [x.p.decode_contents() for x in section.select("div.exercise.admonition")]
    if titles and section.get("id") == "exercises":
        yield f'<section><h2>{words}</h2><ul class="exercises">{"".join(f"<li>{x}</li>" for x in titles)}</ul></section>'


def is_math(node):
    """Return whether a node is a displayed equation."""
    return node is not None and "math" in node.get("class", []) and node.name == "div"


class Sentence(NamedTuple):
    """A sentence of a page, a line of the source: as HTML, as text without formulas, and what its mark says, or ""."""

    html: str
    text: str
    mark: str


def is_mark(node):
    """Return whether a node is a mark of a sentence."""
    return isinstance(node, Comment) and node.strip() in (slide_choices.SHOW, slide_choices.LEAVE)


def sentences(paragraph):
    """Return the sentences of a paragraph."""
    lines = [[]]
    for child in list(paragraph.children):
        if type(child) is NavigableString:
            first, *others = str(child).split("\n")
            lines[-1].append(escape_text(first))
            lines += [[escape_text(other)] for other in others]
        else:
            lines[-1].append(child)
    made = []
    for parts in lines:
        html = "".join(str(x) for x in parts if not isinstance(x, Comment)).strip()
        mark = "".join(x.strip() for x in parts if isinstance(x, Comment))
        made += [Sentence(html, plain_text(html), mark)] if html else []
    return made


def escape_text(words):
    """Return text as HTML."""
    return str(words).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def plain_text(sentence):
    """Return the text of a sentence without formulas and numbers of equations, with the quotation marks of a keyboard."""
    soup = BeautifulSoup(sentence, "html.parser")
    for thing in soup.select('span.math, a[href*="#equation-"]'):
        thing.decompose()
    text = re.sub(r"\s+", " ", soup.get_text()).strip()
    return text.translate(str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "…": "...", "–": "-"}))


def make_self_contained(soup):
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
