"""A Sphinx extension: proves the equations of a project at the build, marks each on its page, and writes the ledger.

`extensions = ["eqproof.sphinx"]` in conf.py, or under `sphinx` in a Jupyter Book's _config.yml; the pages and their proofs
are those of `[tool.eqproof]`. What is not proven, no definition and no refused misprint is a warning, which fails a
strict build, and so is a formula that is drawn on a page and has no verdict: coverage is counted in the document that
Sphinx made, outputs of cells included. A verdict is kept until the page, its proofs or what these import change (kept.py); of
the packages in `eqproof_depends`, these modules count even where they are installed as a third party's. `eqproof_ledger` names the document that holds the directive `proof-ledger`; each mark leads there.
"""

import html
import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment import BuildEnvironment
from sphinx.util import logging
from sphinx.util.docutils import SphinxDirective

from eqproof.chapter import Result
from eqproof.inline import KINDS
from eqproof.kept_verdicts import reports
from eqproof.ledger import Report, orphans
from eqproof.ledger_files import file_of_proofs, proofs_of
from eqproof.numbers import SOURCES
from eqproof.pages import displays, title
from eqproof.project import expand, project

# where: change the look of a proof mark
# the sign and the word; its style: 'The mark of a proof' in `book/_static/book.css`
MARKS = {  # of each kind of result: the sign, the word beside an equation, and what it means
    "proven": ("✓", "proof", "Proven in exact fractions"),
    "checked": ("✓", "checked", "Checked in 30 digits at random points"),
    "computed": ("✓", "computed", "Computed for one problem, in which no letter is free"),
    "sampled": (
        "✓",
        "sampled",
        "Searched for an exception, at random points and from these, and not proven",
    ),
    "compared": ("≈", "compared", "Compared with a computation, within a tolerance"),
    "trivial": ("≡", "trivial", "True by its form alone"),
    "postulate": ("∗", "postulate", "A law that is assumed, and agrees with a computation"),
    "definition": ("≔", "definition", "A name for something"),
    "refused": ("✗", "refused", "A misprint, refused"),
    "failed": ("!", "fails", "Not proven"),
}
COUNTED = [kind for kind in MARKS if kind != "failed"]
NUMBER = re.compile(
    r'(<div[^>]* id="equation-([^"]+)"[^>]*>\s*(?:<span id="[^"]*"></span>)*<span class="eqno">\(([^)]*)\)'
    r'(?:<a class="headerlink".*?</a>)?)(</span>)(.*?</div>)',
    re.S,
)
LETTERS = re.compile(r"((?<=; )[^;]+(?= is not told: )|(?<=units open: ).+(?= has none))")  # in what the checker says
warning = logging.getLogger(__name__).warning

if TYPE_CHECKING:

    class App(Sphinx):
        """What Sphinx calls the application, with what `prove` and `count_formulas` add to it."""

        proof_reports: list[Report]
        proof_documents: dict[str, Report]
        proof_coverage: dict[str, int]


def prove(app: "App") -> None:
    """Prove all pages before the build reads them; warn of all that is wrong."""
    root = Path(app.srcdir)
    app.proof_reports = reports(root, Path(app.outdir).parent / ".proofs", app.config.eqproof_depends)
    app.proof_documents = {document(root, report.page): report for report in app.proof_reports}
    for sentence in [
        *(x for report in app.proof_reports for x in report.wrong),
        *orphans(report.page for report in app.proof_reports),
    ]:
        warning(sentence, type="proof")


def document(root: Path, page: Path) -> str:
    """Return Sphinx's name of the document that a page is: book/rp."""
    return page.relative_to(root.resolve()).with_suffix("").as_posix()


def reports_in_build(app: "App") -> list[Report]:
    """Return the reports of those pages of the project that are documents of this build, in their order."""
    return [report for name, report in app.proof_documents.items() if name in app.env.found_docs]


def visible_formulas(tree: nodes.document) -> Iterator[nodes.math_block]:
    """Yield the displayed formulas that a reader sees; of an output in several formats, HTML is shown, not LaTeX."""
    for node in tree.findall(nodes.math_block):
        bundle = [child.get("mime_type") for child in node.parent.parent.children if isinstance(child, nodes.Element)]
        if not (node.parent.get("mime_type") == "text/latex" and "text/html" in bundle):
            yield node


def count_formulas(app: "App", env: BuildEnvironment) -> None:
    """Count the formulas of all documents, and warn of each that has no verdict or another text than was proven."""
    app.proof_coverage = dict.fromkeys(("with a verdict", "printed by a cell and proven", "printed without a claim"), 0)
    for name in sorted(env.found_docs):
        report = app.proof_documents.get(name)
        macros = project(report.page.parent).macros if report else {}
        texts = {x.label: x.text for x in displays(report.page) if x.label} if report else {}
        for node in visible_formulas(env.get_doctree(name)):
            kind = coverage(node, report, texts, macros)
            if kind in app.proof_coverage:
                app.proof_coverage[kind] += 1
            else:
                warning("%s: %s", name, kind, type="proof", location=node)


def coverage(node: nodes.math_block, report: Report | None, texts: dict[str, str], macros: dict[str, str]) -> str:
    """Return what a formula counts as, or the sentence on what is wrong with it; macros: those of the page."""
    label = node.get("label")
    text = node.astext().strip()
    if report is not None and label in {result.label for result in report.results}:
        same = (
            without_spaces(texts[label]) == without_spaces(expand(text, macros)) or r"\begin{aligned}" in texts[label]
        )
        return "with a verdict" if same else f"{label} is drawn with another text than the one that was proven: {text}"
    if report is not None and node.parent.get("mime_type") == "text/latex":
        if not re.search(r"=|<|>|\\(le|ge|ne|approx)(?![a-z])", text):
            return "printed without a claim"
        result = result_of_printed(report.page, text)
        return "printed by a cell and proven" if result.kind != "failed" else result.how
    return f"{label or text!r} is neither proven nor declared"


def without_spaces(text: str) -> str:
    """Return a text without spaces."""
    return re.sub(r"\s+", "", text)


chapter_of = cache(proofs_of)


def result_of_printed(page: Path, text: str) -> Result:
    """Return the Result for an equation that a cell of the page printed."""
    chapter = chapter_of(page)
    if chapter is None or chapter.printed is None:
        how = f"a cell printed {text}: say what its letters stand for, chapter.outputs({{..}}, by=..)"
        return Result("an output", "failed", "", how, 0.0)
    return chapter.printed.run(text.removeprefix(r"\displaystyle "))


class Ledger(SphinxDirective):
    """```{proof-ledger}```: a table of counts, and for each page a table of its equations."""

    def run(self) -> list[nodes.Node]:
        """Return the nodes."""
        self.env.note_reread()  # it tells of all pages, so it is made anew at each build
        pages = reports_in_build(cast("App", self.env.app))  # `prove` has added to it what it found
        found = [report for report in pages if report.results]
        heads: tuple[str, ...] = (
            "proven",
            "checked",
            "computed",
            "sampled",
            "compared",
            "trivial",
            "postulates",
            "definitions",
            "refused misprints",
            "units agree",
        )
        counts = self.counts(found, heads, lambda r: [*(r.counts().get(x, 0) for x in COUNTED), r.measured()[0]])
        said = "Relations in the running text are tried with the letters of the equations around them."
        heads = (
            "checked: it holds",
            "data",
            "condition",
            "left open, with a reason",
            "not tried: a page without proofs",
        )
        related = [report for report in pages if any(report.inline.values())]
        running = self.counts(related, heads, lambda r: [r.inline.get(kind, 0) for kind in KINDS])
        told = "Numbers in the running text of all pages that have a decimal point, a power of ten or three digits:"
        heads = (
            "compared by a cell with what it computes",
            "in a relation that holds or has a reason",
            "data: in the page's code or in an equation",
            "said to be what it is",
        )
        printed = [report for report in pages if any(report.numbers.values())]
        printed = self.counts(printed, heads, lambda r: [r.numbers[source] for source in SOURCES])
        covered = nodes.paragraph(classes=["proof-coverage"])  # filled when all pages have been read
        return [counts, covered, text(said), running, text(told), printed, *(self.section(report) for report in found)]

    def counts(
        self, found: Sequence[Report], heads: Sequence[str], numbers: Callable[[Report], list[int]]
    ) -> nodes.table:
        """Return a table of numbers with a row for each report, and their sums."""
        rows = [(self.page(report), numbers(report)) for report in found]
        rows.append((text("together"), [sum(column) for column in zip(*(row for _, row in rows))]))
        return table([text(x) for x in ("page", *heads)], [[name, *map(text, row)] for name, row in rows])

    def section(self, report: Report) -> nodes.section:
        """Return the part of the ledger that belongs to a page."""
        name = title(report.page)
        section = nodes.section(ids=[f"proofs-{report.page.stem}"], names=[f"proofs-{report.page.stem}"])
        section += nodes.title(name, name)
        rows = [
            [self.equation(x), text(f"{MARKS[x.kind][0]} {x.kind}"), text(x.by), text(x.how), source(report, x)]
            for x in report.results
        ]
        heads = [
            text(word) for word in ("equation", "verdict", "compared with, or reason", "what the checker says", "proof")
        ]
        section += table(heads, rows, [f"proof-{result.label}" for result in report.results])
        return section

    def page(self, report: Report) -> nodes.paragraph:
        """Return a link to a page, with its title."""
        return self.link("std", "doc", f"/{document(Path(self.env.srcdir), report.page)}", title(report.page))

    def equation(self, result: Result) -> nodes.paragraph:
        """Return a link to an equation, with its number."""
        return self.link("math", "eq", result.label, result.label)

    def link(self, domain: str, kind: str, target: str, words: str) -> nodes.paragraph:
        """Return a paragraph that holds a reference, which Sphinx resolves."""
        reference = addnodes.pending_xref(
            "", nodes.inline(words, words), refdomain=domain, reftype=kind, reftarget=target, refdoc=self.env.docname
        )
        reference["refexplicit"] = kind == "doc"
        return nodes.paragraph("", "", reference)


def source(report: Report, result: Result) -> nodes.paragraph:
    """Return a link to the lines of a proof."""
    where = f"proofs/{report.page.stem}.html#line-{result.line}"
    link = nodes.reference("", f"line {result.line}", refuri=where, internal=True)
    return nodes.paragraph("", "", link)


def text(words: object) -> nodes.paragraph:
    """Return a paragraph, in which words between backticks are code, and the letters that a verdict names are a formula."""
    parts = []
    for k, part in enumerate(str(words).split("`")):
        kinds = [nodes.literal] if k % 2 else [nodes.inline, nodes.math]
        pieces = [part] if k % 2 else LETTERS.split(part)
        parts += [kinds[j % 2](x, x) for j, x in enumerate(pieces) if x]
    return nodes.paragraph(str(words), "", *parts)


def table(
    heads: Sequence[nodes.paragraph], rows: Sequence[Sequence[nodes.paragraph]], ids: Sequence[str] = ()
) -> nodes.table:
    """Return a table of paragraphs; ids: the names by which a link finds each row."""
    group = nodes.tgroup("", *(nodes.colspec(colwidth=1) for _ in heads), cols=len(heads))

    def line(cells: Sequence[nodes.paragraph]) -> nodes.row:
        return nodes.row("", *(nodes.entry("", cell) for cell in cells))

    group += nodes.thead("", line(heads))
    group += nodes.tbody("", *map(line, rows))
    for row, name in zip(group[-1], ids):
        row["ids"].append(name)
    return nodes.table("", group, classes=["proof-ledger"])


def fill_ledger(app: "App", tree: nodes.document, name: str) -> None:
    """Write into the ledger what was counted on the pages."""
    for node in tree.findall(lambda x: isinstance(x, nodes.paragraph) and "proof-coverage" in x["classes"]):
        counts = ", ".join(f"{number} {kind}" for kind, number in app.proof_coverage.items() if number)
        node += nodes.Text(f"Displayed formulas on all built pages: {counts}.")


def mark_equations(
    app: "App", pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Put beside the number of each equation of a page the mark that leads to its row in the ledger."""
    report = app.proof_documents.get(pagename)
    if report is None or not context.get("body"):
        return
    results = {nodes.make_id(x.label): x for x in report.results}
    marked = set()
    ledger = app.builder.get_relative_uri(pagename, app.config.eqproof_ledger)

    def marked_number(match: re.Match[str]) -> str:
        start, label, number, end, equation = match.groups()
        result = results.get(label)
        if result is None:
            return match.group()
        marked.add(label)
        sign, word, meaning = MARKS[result.kind]
        by = html.escape(result.by.replace("`", ""), quote=True)
        said = f"At a random point: {html.escape(result.how)}." if result.kind == "refused" else ""
        link = (
            f'<a class="proof-mark proof-{result.kind}" href="{ledger}#proof-{result.label}"'
            f' aria-label="{word.capitalize()} of equation {number}" title="{meaning}: {by}">'
            f'<span aria-hidden="true">{sign}</span> {word}</a>'
        )
        return f"{start} {link}{end}{equation}" + (f'<p class="proof-said">{said}</p>' if said else "")

    context["body"] = NUMBER.sub(marked_number, context["body"])
    for label in sorted(set(results) - marked):
        warning("%s: no place for the mark of %s", pagename, label, type="proof")


def sources(app: "App") -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield a page for each file of proofs, with its lines as they stand, beside the ledger."""
    assert isinstance(app.builder, StandaloneHTMLBuilder)  # no other asks for pages
    ledger = Path(app.config.eqproof_ledger)
    for report in reports_in_build(app):
        file = file_of_proofs(report.page)
        if not file.exists():
            continue
        name = title(report.page)
        code = file.read_text(encoding="utf8")
        lines = app.builder.highlighter.highlight_block(code, "python", linespans="line")
        words = html.escape(name)
        back = f'<a href="../{ledger.name}.html#proofs-{report.page.stem}">Proof ledger</a>'
        body = f"<h1>Proofs of “{words}”</h1><p>What each letter stands for, and how it is known. Back to the {back}.</p>{lines}"
        yield (
            (ledger.parent / "proofs" / report.page.stem).as_posix(),
            {"parents": [], "title": f"Proofs of {name}", "body": body},
            "page.html",
        )


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_config_value("eqproof_ledger", "proof-ledger", "env")
    app.add_config_value("eqproof_depends", [], "env")
    app.add_directive("proof-ledger", Ledger)
    app.connect("builder-inited", prove)
    app.connect("env-check-consistency", count_formulas)
    app.connect("doctree-resolved", fill_ledger)
    app.connect("html-page-context", mark_equations)
    app.connect("html-collect-pages", sources)
    return {"version": "1", "parallel_read_safe": False, "parallel_write_safe": True}
