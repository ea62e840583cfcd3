"""What a notebook says of its slides has an effect, and lasts: marks go with their sentences, labels belong to their cell."""

import pytest
from bs4 import BeautifulSoup

from bookbuild import slide_choices, slides

PAGES = [slug for _, slugs in slides.chapters() for slug in slugs]
EQUATION = "$$\nx = 1\n$$ (eq-x)\n"


def notebook(*texts, **metadata):
    """A notebook of text cells; the first has metadata."""
    cells = [
        {"id": f"c{k}", "cell_type": "markdown", "metadata": {}, "source": text.splitlines(True)}
        for k, text in enumerate(texts)
    ]
    cells[0]["metadata"] = metadata
    return {"cells": cells}


def wrong(*texts, **metadata):
    """The sentence on the one thing that is wrong with a notebook."""
    (sentence,) = slide_choices.problems(notebook(*texts, **metadata), "book/x.ipynb")
    return sentence


@pytest.mark.parametrize("slug", PAGES)
def test_every_choice_of_a_notebook_has_an_effect(slug):
    """Read without a build: before each commit, not after the next."""
    assert slide_choices.problems(slides.notebook(slug), f"book/{slug}.ipynb") == []


def test_the_notebooks_choose_sentences():
    """A check that reads no mark would find none wrong."""
    marks = [slide_choices.MARK.findall("".join(x["source"])) for slug in PAGES for x in slides.notebook(slug)["cells"]]
    assert sum(map(len, marks)) > 150


def test_what_is_right_is_not_told():
    """A mark ends the line of a sentence in a paragraph; a label is its cell's, of an equation, a box or a figure."""
    text = f"The rod turns. <!-- slide -->\nIt falls. <!-- no slide -->\n\n{EQUATION}"
    assert slide_choices.problems(notebook(text, slides={"leave": ["eq-x"]}), "x") == []
    folded = ":::{exercise} Fall\n:label: ex-fall\n\nHow far?\n:::\n"
    assert slide_choices.defined_labels(notebook(folded)["cells"][0]) == {"ex-fall"}
    drawn = notebook("", mystnb={"figure": {"name": "fig-rod"}}, slides={"leave": ["fig-rod"]})
    assert slide_choices.problems(drawn, "x") == [] and slide_choices.omitted_labels(drawn) == ["fig-rod"]


def test_a_choice_without_effect_is_a_sentence():
    """Page, cell, what it says, the way on."""
    told = wrong("The rod turns.", slides={"say": ["The rod turns"]})
    assert told == (
        'book/x.ipynb, cell "c0": "slides" has the key "leave" alone, got "say"; to choose sentences, '
        "end the line of a sentence with <!-- slide --> or <!-- no slide -->"
    )
    told = wrong(EQUATION, slides={"leave": ["eq-y"]})
    assert told.endswith('"leave" names labels of its own cell, which are eq-x, got "eq-y"; correct it or take it out')
    assert 'which gives none, got "eq-x"' in wrong("The rod turns.", EQUATION, slides={"leave": ["eq-x"]})
    assert '"slides" is {"leave": [labels]}, got [\'eq-x\']' in wrong(EQUATION, slides=["eq-x"])


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("The rod turns. <!-- sldie -->", "not 'sldie'"),
        ("The rod turns. <!-- slide --> It falls.", "ends the line of its sentence"),
        ("The rod turns. <!-- slide --> <!-- no slide -->", "ends the line of its sentence"),
        ("<!-- slide -->", "is for a sentence of a paragraph"),
        ("- The rod turns. <!-- slide -->", "is for a sentence of a paragraph"),
        ("1. The rod turns. <!-- slide -->", "is for a sentence of a paragraph"),
        ("| The rod | turns | <!-- slide -->", "is for a sentence of a paragraph"),
        ("## The rod <!-- slide -->", "is for a sentence of a paragraph"),
        (":::{dropdown} What to see\nThe rod turns. <!-- slide -->\n:::", "is for a sentence of a paragraph"),
        (
            "::::{exercise}\n:::{note}\nIt.\n:::\nThe rod turns. <!-- slide -->\n::::",
            "is for a sentence of a paragraph",
        ),
        ("## Exercises\n\nThe rod turns. <!-- slide -->", "is for a sentence of a paragraph"),
    ],
)
def test_a_mark_without_effect_is_told(text, rule):
    """With the line that holds it."""
    (line,) = [x for x in text.splitlines() if "<!--" in x]
    assert rule in wrong(text) and wrong(text).endswith(f", got {line!r}")


def test_exercises_end_with_their_section():
    """Also where the next one begins in another cell, and a heading in a box begins none."""
    later = ("## Exercises\n\nTry.", "More.\n\n## Summary\n\nThe rod turns. <!-- slide -->")
    assert slide_choices.problems(notebook(*later), "x") == []
    assert "paragraph" in wrong("## Exercises\n\nTry.", ":::{note}\n## Summary\n:::\n\nThe rod turns. <!-- slide -->")


def test_a_mark_chooses_its_sentence():
    """In the page a mark is a comment at the end of its line; the sentence is shown, or left, without it."""
    page = BeautifulSoup(
        "<p>The rod turns. <!-- slide -->\nIt falls.\n<strong>Rod</strong> it is. <!-- no slide --></p>", "html.parser"
    )
    blocks = of(page)
    assert list(blocks.paragraph(page.p, leads=False, follows=False, complete=False)) == [
        '<p class="key">The rod turns.</p>'
    ]
    assert len(blocks.used_choices) == 2
    asked = BeautifulSoup("<p>Before you look, guess. <!-- no slide --></p>", "html.parser")
    assert list(of(asked).paragraph(asked.p, False, False, complete=False)) == []


def of(soup):
    """A page of its own HTML, whose cells leave the equation eq-x."""
    page = object.__new__(slides.Page)
    page.slug = "x"
    page.omitted = {"eq-x"}
    page.used_choices = []
    page.article = soup
    return page


def test_a_choice_that_met_nothing_in_the_page_stops_the_deck():
    """A mark where no sentence is read, a label that the page has not: told with the page, not passed over."""
    html = '<section><h1>Rods</h1><p>They fall.</p><div class="math" id="equation-eq-x">x</div></section>'
    soup = BeautifulSoup(html, "html.parser")
    page = of(soup.section)
    assert not any("equation-eq-x" in slide for slide in page.slides()) and page.used_choices == ["eq-x"]
    for found in (
        html.replace("eq-x", "eq-y"),
        html.replace("</h1>", "</h1><ul><li>It turns. <!-- slide --></li></ul>"),
    ):
        page = of(BeautifulSoup(found, "html.parser").section)
        with pytest.raises(
            ValueError, match=r"book/x\.ipynb chooses for its slides what no slide could show: (It turns|eq-x)"
        ):
            page.slides()


def test_decks_are_made_whole_or_not_at_all(tmp_path, monkeypatch):
    """What stops leaves what was there before, and nothing half-made beside it."""
    out = tmp_path / "slides"
    out.mkdir()
    (out / "old.html").write_text("old", encoding="utf-8")

    def stops(site, folder):
        folder.mkdir()
        (folder / "new.html").write_text("new", encoding="utf-8")
        raise ValueError("a cell is wrong")

    monkeypatch.setattr(slides, "write_decks", stops)
    with pytest.raises(ValueError, match="a cell is wrong"):
        slides.build_decks(tmp_path / "html", out)
    assert [x.relative_to(tmp_path).as_posix() for x in sorted(tmp_path.rglob("*"))] == ["slides", "slides/old.html"]

    def goes(site, folder):
        folder.mkdir()
        (folder / "new.html").write_text("new", encoding="utf-8")
        return ["new"]

    monkeypatch.setattr(slides, "write_decks", goes)
    assert slides.build_decks(tmp_path / "html", out) == ["new"]
    assert [x.relative_to(tmp_path).as_posix() for x in sorted(tmp_path.rglob("*"))] == ["slides", "slides/new.html"]


def test_a_wrong_choice_ends_the_command_in_its_sentence(monkeypatch, capsys):
    """Before anything is built or made."""
    monkeypatch.setattr(slides, "notebook", lambda slug: notebook("The rod turns. <!-- slyde -->"))
    monkeypatch.setattr(slides.build_book, "main", lambda: pytest.fail("nothing is built"))
    assert slides.main() == 2
    told = capsys.readouterr().err
    assert "Traceback" not in told and len(told.splitlines()) == len(PAGES)
    assert "book/rp.ipynb, cell \"c0\": a mark is <!-- slide --> or <!-- no slide -->, not 'slyde'" in told
