"""Sentences of the preface, and of "How to read this book" of the first page, that count."""

import json
import re
import tomllib

import yaml

from bookbuild import lint

NUMBERS = {14: "Fourteen", 15: "Fifteen", 16: "Sixteen", 17: "Seventeen"}


def texts():
    """Return the texts of all pages, notebooks as they are stored."""
    paths = [path for kind in ("ipynb", "md") for path in sorted((lint.ROOT / "book").glob(f"*.{kind}"))]
    return {path.stem: path.read_text(encoding="utf8") for path in paths}


def test_exercises_and_solutions():
    """More than 250 exercises, each with a full solution."""
    pages = texts()
    (said,) = re.findall(r"More than (\d+) of them, each with a full solution", pages["preface"])
    exercises = [x for text in pages.values() for x in re.findall(r":label: (ex-[\w-]+)", text)]
    solved = [x for text in pages.values() for x in re.findall(r":::\{solution\} (ex-[\w-]+)", text)]
    assert len(exercises) > int(said)
    assert sorted(exercises) == sorted(solved)
    assert len(set(exercises)) == len(exercises)


def test_assignments():
    """Fifteen assignments are graded, and the page names each of them."""
    grading = lint.ROOT / "packages" / "coursework" / "src" / "coursework" / "grading"
    names = set(tomllib.loads((grading / "sections.toml").read_text(encoding="utf8")))
    line = re.search(r"^ *\"(\w+) \*\*assignments\*\* (.*)$", texts()["start"], re.M)
    assert line[1] == NUMBERS[len(names)]
    assert names <= set(re.findall(r"`([\w-]+)`", line[2]))


def test_each_chapter_is_a_notebook_that_ends_with_exercises():
    """Every chapter of the numbered parts is a notebook, one a page, and ends with exercises."""
    parts = yaml.safe_load((lint.ROOT / "_toc.yml").read_text(encoding="utf8"))["parts"]
    parts = [part for part in parts if part.get("numbered", True) and part["caption"] != "Appendix"]
    files = [lint.ROOT / f"{chapter['file']}.ipynb" for part in parts for chapter in part["chapters"]]
    assert len(files) > 40
    for file in files:
        assert "## Exercises" in file.read_text(encoding="utf8"), file


def test_one_range_of_versions():
    """Pages that say which Python a reader needs say the same one."""
    said = {name: set(re.findall(r"Python (3\.\d+ (?:to|or) \w+(?:\.\d+)?)", text)) for name, text in texts().items()}
    assert set().union(*said.values()) == {"3.11 to 3.13"}
    assert {"start", "students"} <= {name for name, versions in said.items() if versions}


def test_each_moving_figure_asks_first():
    """Figures that move ask for a prediction before they show what happens: each of a chapter has one in the text before it."""
    asked = 0
    for path in sorted((lint.ROOT / "book").glob("*.ipynb")):
        cells = json.loads(path.read_text(encoding="utf8"))["cells"]
        for k, cell in enumerate(cells):
            if "moving-figure" in cell["metadata"].get("tags", ()) and path.stem != "index":  # the cover
                before = "".join("".join(x["source"]) for x in cells[k - 2 : k] if x["cell_type"] == "markdown")
                assert re.search(r"\*\*(Before|Predict)", before), (path.stem, k)
                asked += 1
    assert asked > 30
