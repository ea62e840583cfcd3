"""The editions of the book: what a student's leaves out, what a teacher's adds, each in a place of its own."""

import functools
import json

import docutils.utils
import pytest
import yaml
from docutils import nodes
from sphinx_exercise.nodes import solution_node

from bookbuild import build_book, build_pdf, download_notebooks, edition, lite, slides, solution_leaks
from eqproof.sphinx import table, text

HIDDEN = "::::{solution} ex-b\nThe crank turns thirty times before the flywheel shatters.\n\n$$\na\n$$ (eq-s)\n::::"


@pytest.fixture
def source(tmp_path):
    """A book of one page with one solution, and pages for teachers."""
    root = tmp_path / "source"
    for name in edition.PAGES_FOR_TEACHERS:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / f"{name}.md").write_text("Let them vote before the heavy rod begins to fall.", encoding="utf-8")
    told = download_notebooks.markdown_cell("a", f"## Exercises\n\nHow often does the crank turn?\n\n{HIDDEN}\n")
    check = download_notebooks.code_cell("b", "quoted({'30': 30})", {"tags": ["check"]})
    (root / "book" / "page.ipynb").write_text(json.dumps({"cells": [told, check], "metadata": {}}), encoding="utf-8")
    asked = download_notebooks.markdown_cell(
        "c", "Let them vote before the heavy rod begins to fall, then count the turns of it."
    )
    model = download_notebooks.markdown_cell("d", "The rod lands before the ball does.") | {
        "metadata": {"nbgrader": {}}
    }
    (root / "exercises" / "rod").mkdir()
    (root / "exercises" / "rod" / "rod.ipynb").write_text(
        json.dumps({"cells": [asked, model], "metadata": {}}), encoding="utf-8"
    )
    return root


def test_a_student_edition_that_tells_is_stopped(source, tmp_path):
    """A sentence in a page, a word in the index, the mark of an equation, a teacher's page, the answer to an assignment, whose
    question says what the teacher's page does, too; and a clean one passes."""
    shipped = tmp_path / "html"
    (shipped / "book").mkdir(parents=True)
    page = shipped / "book" / "page.html"
    index = shipped / "searchindex.js"
    index.write_text('Search.setIndex({"terms": {"crank": 0}})', encoding="utf-8")
    page.write_text(
        "<p>How often does the crank turn?</p><p>Let them vote before the heavy rod begins to fall.</p>",
        encoding="utf-8",
    )
    assert solution_leaks.find_leaks(shipped, source) == []
    index.write_text('Search.setIndex({"terms": {"crank": 0, "flywheel": 0}})', encoding="utf-8")
    assert solution_leaks.find_leaks(shipped, source) == ["the search finds the word flywheel"]
    page.write_text(
        '<p>The crank turns <b>thirty</b> times before the flywheel shatters.</p> <div id="equation-eq-s">',
        encoding="utf-8",
    )
    (shipped / "book" / "teachers.html").write_text("", encoding="utf-8")
    (shipped / "page.md").write_text("The rod lands before the ball does.", encoding="utf-8")
    told = [x.split(" ")[0] for x in solution_leaks.find_leaks(shipped, source)]
    assert told == [*4 * ["page.html"], *2 * ["page.md"], "teachers.html"]


def test_what_an_assignment_hands_out_gives_no_solution_away(tmp_path):
    """Its cells import the library as solutions of the projects do; in a site with all assignments nothing of that is a leak."""
    for path in sorted(build_book.ROOT.glob("exercises/*/*.ipynb")):
        notebook = json.loads(path.read_text(encoding="utf-8"))
        for cell in notebook["cells"]:
            cell["source"] = solution_leaks.ANSWER.sub("...", "".join(cell["source"]))
        asked = [
            cell for cell in notebook["cells"] if cell["cell_type"] == "code" or "nbgrader" not in cell["metadata"]
        ]
        (tmp_path / path.name).write_text(json.dumps(notebook | {"cells": asked}), encoding="utf-8")
    assert solution_leaks.find_leaks(tmp_path, build_book.ROOT) == []


def test_a_page_that_is_left_out_has_no_link():
    """Neither a link nor a card, nor a line in the contents, in the student's edition alone; the teacher's has the exams."""
    text = "[For teachers](teachers.md), [rods](rp.ipynb)\n\n:::{grid-item-card} Teach\n:link: teachers\n\nGo.\n:::\n"
    assert edition.edit_text(text, "student").strip() == "For teachers, [rods](rp.ipynb)"
    assert edition.edit_text(text, "reader") == edition.edit_text(text, "teacher") == text
    words = "".join(path.read_text("utf8") for end in ("ipynb", "md") for path in build_book.ROOT.glob(f"book/*.{end}"))
    assert [words.count(said) for said in edition.READER_PHRASES] == len(edition.READER_PHRASES) * [1]
    toc = (build_book.ROOT / "_toc.yml").read_text(encoding="utf-8")
    without = edition.edition_toc(toc, "student")
    more = edition.edition_toc(toc, "teacher")
    assert [x for x in toc.splitlines() if x not in without.splitlines()] == [
        f"      - file: {x}" for x in edition.TEACHER_PAGES
    ]
    course = next(part for part in yaml.safe_load(toc)["parts"] if part.get("caption") == "Course")
    assert course["numbered"] is False  # so the chapters after them keep their numbers
    assert more.startswith(toc) and all(f"- file: {x}\n" in more for x in (*edition.EXAM_PAGES, *edition.PROJECT_PAGES))


def test_what_was_read_loses_its_solutions():
    """And the checks of exercises, the rows of their equations in the ledger, the links to their proofs; the rest stays."""
    shown = nodes.math_block("", "b", label="eq-b")
    hidden = solution_node("", nodes.math_block("", "a", label="eq-a"))
    checks = [nodes.container("", nodes.Text(word), classes=["tag_check"]) for word in ("kept", "gone")]
    parts = [(("Motion", shown, checks[0])), (("Exercises", hidden, checks[1]))]
    tree = docutils.utils.new_document("page")
    tree += [nodes.section("", nodes.title("", title), *rest) for title, *rest in parts]
    assert edition.remove_solutions(tree) == {"eq-a"}
    assert "kept" in tree.astext() and "gone" not in tree.astext() and list(tree.findall(nodes.math_block)) == [shown]
    links = [nodes.reference("", "line 3", refuri=f"proofs/{slug}.html#line-3") for slug in ("page", "other")]
    rows = [[text(label), nodes.paragraph("", "", link)] for label, link in zip("ab", links)]
    ledger = docutils.utils.new_document("ledger")
    ledger += [table([text("x"), text("y")], [row], [f"proof-eq-{label}"]) for label, row in zip("ab", rows)]
    edition.remove_ledger_rows(ledger, {"proof-eq-a"}, {"page", "other"})
    assert [row["ids"] for row in ledger.findall(nodes.row)] == [[], [], ["proof-eq-b"]]
    assert not list(ledger.findall(nodes.reference)) and ledger.astext().endswith("line 3")


@pytest.mark.parametrize(
    "command",
    [build_book.main, slides.main, lite.main, lambda: build_pdf.main(["pdf"]), lambda: build_pdf.main(["epub"])],
    ids=["book", "slides", "lite", "pdf", "epub"],
)
def test_an_unknown_edition_is_told(command, monkeypatch, capsys):
    """Before anything is built."""
    monkeypatch.setenv("EDITION", "pupil")
    assert command() == 2 and capsys.readouterr().err == "EDITION is reader, student or teacher, got pupil\n"


def test_each_edition_has_a_place_of_its_own(monkeypatch, tmp_path):
    """Pages, PDF and EPUB of one do not overwrite those of another; its title says which it is."""
    found = []
    for name in edition.EDITIONS:
        monkeypatch.setenv("EDITION", name)
        found += [
            edition.html_folder(tmp_path),
            build_pdf.output_path("pdf", name),
            build_pdf.output_path("epub", name),
        ]
    assert len(set(found)) == 9 and [x.name for x in found[1::3]] == [
        "robotdyn.pdf",
        "robotdyn-student.pdf",
        "robotdyn-teacher.pdf",
    ]
    assert len({build_pdf.book_metadata(name)["edition"] for name in edition.EDITIONS}) == 3


def test_an_edition_is_built_whole_or_not_at_all(monkeypatch, tmp_path, capsys):
    """From its own contents, in a folder of its own; what failed leaves nothing."""
    seen = []

    def builds(code, toc, output):
        seen.append((toc.read_text(encoding="utf-8"), sorted(x.name for x in (output / "_build").iterdir())))
        (output / "_build" / "html").mkdir()
        return code

    monkeypatch.setattr(build_book, "BUILD", tmp_path)
    for kept in (".jupyter_cache", ".proofs"):
        (tmp_path / kept).mkdir()
    for code in (1, 0):
        monkeypatch.setattr(build_book, "build", functools.partial(builds, code))
        assert build_book.build_edition("teacher") == code
        assert sorted(x.name for x in tmp_path.iterdir()) == [".jupyter_cache", ".proofs", *["teacher"] * (code == 0)]
    assert [x.name for x in (tmp_path / "teacher").iterdir()] == [
        "html"
    ] and "teacher/html/index.html" in capsys.readouterr().out
    assert "exercises/exams/midterm" in seen[0][0] and seen[0][1] == [".formulas.json", ".jupyter_cache", ".proofs"]


def test_no_wheel_of_the_browser_waits_for_itself():
    """Python in the browser installs a wheel after those that it needs: a ring would wait for ever; each import has one wheel."""
    needed = {name: depends for name, (_, _, depends) in lite.PROJECT_WHEELS.items()}

    def reached(name):
        return {x for y in needed.get(name, ()) for x in (y, *reached(y))}

    assert all(name not in reached(name) for name in needed)
    answers = [word for _, imports, _ in lite.PROJECT_WHEELS.values() for word in imports]
    assert sorted(answers) == ["coursework", "eqproof", "movingfigures", "robotdyn"]
    (last,) = [name for name, (_, imports, _) in lite.PROJECT_WHEELS.items() if "robotdyn" in imports]
    assert {"robotdyn", "movingfigures"} <= reached(last)


def test_a_term_reads_as_on_its_page():
    """What a page says with a link to the glossary is no secret of a solution that has the same words without one."""
    words = "remainder is the lie bracket of"
    assert words in solution_leaks.ngrams("The remainder is the **{term}`Lie bracket`** of two fields")
    assert words in solution_leaks.ngrams("The remainder is the {term}`Lie bracket <bracket of fields>` of two fields")
    assert "a bracket of fields of two" not in solution_leaks.ngrams("{term}`a <bracket of fields>` of two fields")
