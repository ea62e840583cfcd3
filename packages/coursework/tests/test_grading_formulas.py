"""Formulas of a feedback page are drawn without a script and without a network, and none of them can do more than stand there."""

import html
import re
from xml.etree import ElementTree

import nbformat
import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
pytest.importorskip("latex2mathml", reason="latex2mathml is not installed: pip install './packages/coursework[grade]'")

from coursework.grading.feedback import PageExporter, _config
from coursework.mathml import MOST_TEX, from_output, from_tex

HOSTILE = [
    r"\href{javascript:alert(1)}{x}",
    r"\style{background:url(//elsewhere)}{x}",
    r"\class{a}{x}",
    r"\text{<img src=x onerror=alert(1)></img>}",
    r"\text{<script>alert(1)</script>}",
    r"\mbox{</math><script>alert(1)</script><math>}",
    r"\text{<mi onclick='alert(1)'>x</mi>}",
    r"\text{<mi xlink:href='javascript:alert(1)'>x</mi>}",
    r"\text{<mi style='position:fixed'>x</mi>}",
    r"\text{<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>}",
    r"\text{<annotation-xml encoding='text/html'><b>x</b></annotation-xml>}",
    r"\text{<maction actiontype='statusline'>x</maction>}",
    r"\text{<?xml-stylesheet href='x'?>}",
]
UNREADABLE = [
    "{" * 3000 + "}" * 3000,
    r"\frac{1}{" * 500 + "1" + "}" * 500,
    "x^" * 2000,
    r"\begin{matrix}" * 300,
    "a" * (MOST_TEX + 1),
    r"\left(",
]


@pytest.mark.parametrize("tex", HOSTILE)
def test_a_formula_can_neither_link_nor_run(tex):
    """Whatever is within: its result holds elements of formulas alone, without a link, a style or a handler; or there is none."""
    made = from_tex(tex)
    if made is not None:
        tags = re.findall(r"<\s*([^\s>]+)([^>]*)>", made)
        assert all(re.fullmatch(r"/?m[a-z]+/?", name) for name, _ in tags), made
        assert not re.search(r"href|style=|class=|\bon\w+=", " ".join(rest for _, rest in tags)), made


def test_names_have_no_prefix_whatever_another_library_registered(monkeypatch):
    """The registry of prefixes is the process's; a reader of meshes gives the empty prefix to its own namespace."""
    monkeypatch.setattr(ElementTree, "_namespace_map", dict(ElementTree._namespace_map))
    ElementTree.register_namespace("", "http://www.collada.org/2005/11/COLLADASchema")
    assert (from_tex("x") or "").startswith(
        '<math xmlns="http://www.w3.org/1998/Math/MathML" display="inline"><mrow><mi>x'
    )


@pytest.mark.parametrize("tex", UNREADABLE, ids=range(len(UNREADABLE)))
def test_what_cannot_be_turned_stays_as_it_is_written(tex):
    """Too deep, too long, or no formula: the page shows the TeX, escaped."""
    assert from_tex(tex) is None
    assert from_output(f"${tex}$ <b>") == f"${tex}$ &lt;b&gt;"


@pytest.mark.parametrize(
    ("tex", "words"),
    [
        (r"\boldsymbol M \ddot{\boldsymbol q}", "𝑴 𝒒 ¨"),
        (r"\mathbb R", "ℝ"),
        (r"a < b", "a < b"),
        (r"\tau_1 = m l^2", "τ 1 = m l 2"),
        (r"\mathbf x^\top", "𝐱 ⊤"),
    ],
)
def test_its_letters_are_those_that_a_reader_knows(tex, words):
    """Bold and double-struck ones are letters of Unicode, since browsers know no other; nothing is lost."""
    assert html.unescape(" ".join(re.findall(r">([^<>]+)<", from_tex(tex) or ""))) == words


@pytest.mark.parametrize(
    ("tex", "spaces"),
    [(r"l \sin q_2", 2), (r"\sin^2 q", 1), (r"a + \sin(q)", 0), (r"\frac{\sin q}{\cos q}", 2), ("a b", 0)],
)
def test_the_name_of_a_function_stands_apart(tex, spaces):
    """From what it is multiplied with, and from its argument; what has a fixed number of parts keeps them."""
    made = from_tex(tex) or ""
    assert made.count("<mspace") == spaces
    for part in re.findall(r"<msup>(.*?)</msup>|<mfrac>(.*?)</mfrac>", made):
        assert not re.match(r"<m\w+>\w+</m\w+><mspace", "".join(part))


def test_a_page_needs_no_network():
    """Formulas of text and of outputs are MathML, and nothing is loaded."""
    cells = [
        nbformat.v4.new_markdown_cell("With $q_1 < 2$ and\n\n$$\\boldsymbol M = \\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}$$\n\n\\begin{align} a &= b \\end{align}\n\nand $\\left($ unread."),
        nbformat.v4.new_code_cell("T", outputs=[nbformat.v4.new_output("display_data", {"text/latex": r"$\displaystyle \frac{m v^{2}}{2}$", "text/plain": "T"})]),
    ]  # fmt: skip
    nothing = {"score": 0.0, "max_score": 0.0, "late_penalty": 0.0, "notebook": "x"}
    about = {"student": "ada", "name": "", "title": "x", "handed_in": "", "late": "", "questions": {}, "waits": []}
    exporter = PageExporter(config=_config({}), preprocessors=[])
    notebook = nbformat.v4.new_notebook(cells=cells)
    page, _ = exporter.from_notebook_node(notebook, {"nbgrader": nothing, "page": about})
    assert page.count("<math") == 4 and page.count('display="block"') == 4 - 1
    assert "<mfrac><mrow><mi>m</mi><msup><mi>v</mi>" in page
    assert r"$\left($ unread" in page
    assert "MathJax" not in page and not re.search(r"<(?:script|link|img)[^>]*(?:src|href)=\W?(?:https?:)?//", page)
