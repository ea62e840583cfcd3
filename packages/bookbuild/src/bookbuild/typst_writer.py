"""Writes the pages of the book, as Sphinx has numbered and resolved them, as one document of Typst: a method for each kind of node."""

import re
from collections.abc import Callable, Iterable, Iterator
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import yaml
from docutils import nodes

from bookbuild import ROOT, edition, subject_index
from bookbuild.typst_formulas import escape_typst, tex_to_typst, typst_string
from eqproof.sphinx import MARKS

if TYPE_CHECKING:
    from bookbuild.typst_builder import TypstBuilder

SCREEN_ONLY_PAGES = {
    f"book/{name}" for name in ("index", "students", "projects", "teachers", "grading", "proof-ledger", "api")
}
NUMBER = re.compile(r"\d")
TEX_COMMANDS = re.compile(r"\\[A-Za-z]+ ?|[{}_^]")  # of TeX: they take no room on paper


# where: say how a thing looks on paper
# a method named after its node (one without a method is an error); its look, and the size and margins of the page, in
# `bookbuild/paper.typ`; pages that are of use on a screen alone are `SCREEN_ONLY_PAGES`
class TypstWriter:
    """Writes nodes of docutils as Typst: a method for each kind, named after it; a kind without one is an error."""

    def __init__(self, builder: "TypstBuilder") -> None:
        self.builder = builder
        self.app = cast(Any, builder.app)  # extensions add to it
        self.env = cast(Any, builder.env)
        self.edition = self.app.edition
        toc = yaml.safe_load(edition.edition_toc((ROOT / "_toc.yml").read_text(encoding="utf8"), self.edition))
        self.parts = [(x.get("caption", ""), list(toc_pages(x["chapters"], 2))) for x in toc["parts"]]
        order = [name for _, pages in self.parts for name, _ in pages if name not in SCREEN_ONLY_PAGES]
        self.trees: dict[str, nodes.document] = {name: builder.trees[name] for name in order}
        self.verdicts = {x.label: x for report in self.app.proof_documents.values() for x in report.results}
        formulas = (node for tree in self.trees.values() for node in tree.findall(is_formula))
        self.formulas = tex_to_typst(node.astext().strip() for node in formulas)
        self.names: dict[tuple[str, str], str] = {}  # (page, id): the first id of the thing that has it
        for name, tree in self.trees.items():
            self.names |= element_names(name, tree)
        links = {self.target_name(x) for tree in self.trees.values() for x in tree.findall(is_link)}
        exercises = {self.names[page, x] for page, x in self.names if x.startswith("ex-")}
        self.link_targets = (links - {None}) | exercises
        self.pictures: dict[str, Path] = {}
        self.solutions: dict[str, list[str]] = {}
        self.page = ""
        self.depth = 1

    def target_name(self, link: nodes.Element) -> str | None:
        """Return the name of what a reference leads to, None if that is not in this book."""
        if "refid" in link:
            return self.names.get((self.page_name(link), link["refid"]))
        page, _, known = link["refuri"].partition("#")
        return self.names.get((page, known)) if link.get("internal") else None

    def page_name(self, node: Any) -> str:
        """Return the page on which a node stands."""
        return self.env.path2doc(node.document["source"]) if node.document is not None else self.page

    # the whole

    def write_book(self) -> str:
        """Return the document."""
        conf = self.builder.config
        marks = [f"({typst_string(sign)}, {typst_string(meaning)})" for sign, _, meaning in MARKS.values()]
        about = {
            "title": typst_string(conf.html_title),
            "author": typst_string(conf.author),
            "year": typst_string(conf.copyright),
        }
        about |= {"version": typst_string(metadata.version("robotdyn")), "marks": f"({', '.join(marks)})"}
        about |= {
            "edition": typst_string(edition.TITLES[self.edition]),
            "solved": str(self.edition != "student").lower(),
        }
        text = ['#import "paper.typ": *', f"#show: book.with({', '.join(f'{x}: {y}' for x, y in about.items())})"]
        for caption, pages in self.parts:
            pages = [(name, depth) for name, depth in pages if name not in SCREEN_ONLY_PAGES]
            if caption and pages:
                text.append(f"#part[{escape_typst(caption)}]")
            for name, depth in pages:
                self.page = name
                self.depth = 1
                text.append(self.render(self.trees[name]))
        text.append(self.back_matter())
        return "\n\n".join(text)

    # where: change the index at the back of the PDF
    # its terms: `book/subject-index.toml`
    def back_matter(self) -> str:
        """Return the solutions and the index of terms."""
        text = ["#part[Back matter]"]
        text += ['#chapter("", "solutions#")[Solutions to the exercises]'] if self.solutions else []
        for page, solutions in self.solutions.items():
            title = self.children(next(self.trees[page].findall(nodes.title)))
            text += [f'#section(3, "", "solutions-{page}")[{title}]', *solutions]
        places: dict[str, list[str]] = {}
        for page, terms in subject_index.terms().items():
            for term, section in terms.items():
                places.setdefault(term, []).append(self.names[f"book/{page}", section])
        entries = [
            f"({typst_string(x)}, ({', '.join(map(typst_string, places[x]))},))," for x in sorted(places, key=str.lower)
        ]
        return "\n\n".join([*text, '#chapter("", "index#")[Index]', "#index((" + "\n".join(entries) + "))"])

    def number(self, kind: str, node: Any) -> str:
        """Return the number of a figure, a table or an equation, as the web has it."""
        known = self.env.toc_fignumbers.get(self.page, {}).get(kind, {})
        return next((".".join(map(str, known[x])) for x in node["ids"] if x in known), "")

    # what every node becomes

    def render(self, node: Any) -> str:
        """Return a node as Typst, by the method of its kind, with the name by which links find it."""
        kind = type(node).__name__
        made = getattr(self, kind)(node)
        if kind in (
            "section",
            "math_block",
            "figure",
            "image",
            "exercise_enumerable_node",
            "document",
            "Text",
            "solution_node",
        ):
            return made
        return "".join(f"#anchor({typst_string(x)});" for x in self.anchor_names(node)) + made

    def children(self, node: nodes.Element) -> str:
        """Return what stands in a node."""
        return "".join(map(self.render, node.children))

    def anchor_names(self, node: Any) -> list[str]:
        """Return the names by which links ask for a node."""
        known = self.names.get((self.page, node["ids"][0])) if node["ids"] else None
        return [known] if known is not None and known in self.link_targets else []

    def anchor_array(self, node: Any) -> str:
        """Return those names as an array of Typst."""
        return f"({''.join(typst_string(x) + ',' for x in self.anchor_names(node))})"

    def block(self, node: Any) -> str:
        """Return what stands in a node, as a paragraph of its own."""
        return f"\n\n{self.children(node)}\n\n"

    document = definition_list = compound = container = block_quote_plain = children
    inline = bibliography = glossary = term = children
    term_plain = block

    def paragraph(self, node: Any) -> str:
        parts = [x for x in node.children if x.astext()]
        if parts and isinstance(parts[0], nodes.strong) and isinstance(parts[-1], nodes.strong):  # a title
            return f"\n\n#lead[{self.children(node)}]\n\n"
        return self.block(node)

    def omit(self, node: Any) -> str:
        """Return nothing: it is for screens, or stands elsewhere."""
        return ""

    meta = index = comment = toctree = raw = target = colspec = substitution_definition = only = omit

    def Text(self, node: Any) -> str:
        return escape_typst(node.astext())

    @staticmethod
    def wrapped_in(name: str) -> Callable[["TypstWriter", nodes.Element], str]:
        return lambda self, node: f"#{name}[{self.children(node)}];"

    emphasis = wrapped_in("emph")
    strong = wrapped_in("strong")
    subscript = wrapped_in("sub")
    superscript = wrapped_in("super")
    title_reference = emphasis
    footnote_reference = superscript

    def literal(self, node: Any) -> str:
        return f"#raw({typst_string(node.astext())});"

    def math(self, node: Any) -> str:
        tex = node.astext().strip()
        return f"#m({typst_string(tex)}, ${self.formulas[tex]}$);"

    def math_block(self, node: Any) -> str:
        tex = node.astext().strip()
        result = self.verdicts.get(node.get("label"))
        sign, word, _ = MARKS[result.kind] if result else ("", "", "")
        number = self.number("displaymath", node) or str(node.get("number") or "")
        body = f"shown({typst_string(tex)}, $ {self.formulas[tex]} $)"
        return f"\n\n#numbered({self.anchor_array(node)}, {typst_string(number)}, {typst_string(sign)}, {typst_string(word)}, {body})\n\n"

    def reference(self, node: Any) -> str:
        words = self.children(node)
        if "refuri" in node and not node.get("internal"):
            return f"#link({typst_string(node['refuri'])})[{words}];"
        name = self.target_name(node)
        if name is None:
            return words
        return f"#{'to' if NUMBER.search(node.astext()) else 'see'}({typst_string(name)}, [{words}]);"

    number_reference = reference

    def section(self, node: Any) -> str:
        if not isinstance(node[0], nodes.title):  # what an exercise holds
            return self.children(node)
        first = node.parent is self.trees[self.page]
        names = [self.names[self.page, ""] if first else self.names[self.page, node["ids"][0]]]
        numbers = self.env.toc_secnumbers.get(self.page, {})
        number = ".".join(map(str, numbers.get("" if first else f"#{node['ids'][0]}", ())))
        title = self.children(node[0])
        alone = any(self.page == name for caption, pages in self.parts if not caption for name, _ in pages)
        head = f"#chapter({typst_string(number)}, {typst_string(names[0])}, level: {1 if alone else 2})[{title}]"
        if alone and not first:
            head = f"#front-section({typst_string(names[0])})[{title}]"
        elif not first:
            head = f"#section({self.depth + 1}, {typst_string(number)}, {typst_string(names[0])})[{title}]"
        self.depth += 1
        made = f"\n\n{head}\n\n" + "".join(map(self.render, node.children[1:]))
        self.depth -= 1
        return made

    def rubric(self, node: Any) -> str:
        return f"\n\n#lead[#strong[{self.children(node)}]]\n\n"

    # lists

    @staticmethod
    def list_of(call: str) -> Callable[["TypstWriter", nodes.Element], str]:
        return lambda self, node: (
            f"\n\n#{call}({''.join(f'[{self.children(x).strip()}], ' for x in node.children)})\n\n"
        )

    bullet_list = list_of("list")
    enumerated_list = list_of("enum")

    def definition_list_item(self, node: Any) -> str:
        terms = "".join(map(self.render, node.children[:-1]))
        return f"\n\n#terms.item([{terms}], [{self.children(node[-1]).strip()}])\n\n"

    def line_block(self, node: Any) -> str:
        return "\n\n" + " \\\n".join(self.children(x).strip() for x in node.children) + "\n\n"

    # code and what it shows

    def literal_block(self, node: Any) -> str:
        if node.parent.get("nb_element") == "cell_code_output" or "output" in node["classes"]:
            return f"\n\n#output({typst_string(node.astext().rstrip())})\n\n"
        lang = "python" if node.get("language") in ("python", "ipython3", "default") else "text"
        return f"\n\n#code({typst_string(lang)}, {typst_string(node.astext().rstrip())})\n\n"

    doctest_block = literal_block

    # pictures

    def image(self, node: Any, anchors: str = "()", caption: str = "none") -> str:
        source = Path(self.env.srcdir) / node["uri"]
        name = f"{source.stem[:40]}{source.suffix}"
        self.pictures[name] = source
        wide = self.width(source)
        moves = "tag_moving-figure" in node.parent.parent["classes"]
        if moves:
            caption = (
                "[#text(fill: soft)[This figure moves, and can be dragged, on the page of this name on a screen.]]"
            )
        alt = node.get("alt") or ("A still of a figure that moves." if moves else "A picture that the text describes.")
        return f"\n\n#picture({anchors}, {typst_string(name)}, {typst_string(alt)}, {caption}, {wide})\n\n"

    def width(self, source: Path) -> str:
        """Return how wide a picture is printed: as wide as drawn, at most as wide as a column."""
        head = source.read_text(encoding="utf8")[:2000] if source.suffix == ".svg" else ""
        drawn = re.search(r'<svg[^>]*? width="([\d.]+)pt"', head)
        return f"calc.min(100, {float(drawn[1]) * 100 / 504 if drawn else 80:.1f}) * 1%"

    def figure(self, node: Any) -> str:
        number = self.number("figure", node)
        captions = [x for x in node.children if isinstance(x, nodes.caption)]
        words = "".join(map(self.children, captions))
        caption = f"[#strong[Figure {number}.] {words}]" if captions else "none"
        return "".join(self.image(x, self.anchor_array(node), caption) for x in node.findall(nodes.image))

    # boxes

    def boxed(self, title: str, children: Iterable[nodes.Node], anchors: str = "()", color: str = "soft") -> str:
        body = "".join(map(self.render, children)).strip()
        return f"\n\n#box-of([{title}], [{body}], names: {anchors}, color: {color})\n\n"

    def admonition(self, node: Any) -> str:
        titled = isinstance(node[0], nodes.title | nodes.rubric)
        title = self.children(node[0]) if titled else type(node).__name__.capitalize()
        return self.boxed(title, node.children[titled:], self.anchor_array(node))

    note = warning = tip = important = hint = seealso = caution = attention = admonition

    def block_quote(self, node: Any) -> str:
        return f"\n\n#quote(block: true)[{self.children(node).strip()}]\n\n"

    def exercise_enumerable_node(self, node: Any) -> str:
        words = self.children(node[0]).strip().removeprefix("· ")
        title = f"Exercise {self.number('exercise', node)} · {words}"
        return self.boxed(title, node.children[1:], self.anchor_array(node), "accent")

    def solution_node(self, node: Any) -> str:
        exercise = self.env.sphinx_exercise_registry[node["target_label"]]["node"]
        name = self.names[self.page, exercise["ids"][0]]
        title = f"#see({typst_string(name)}, [Exercise {self.number('exercise', exercise)}]);"
        body = self.boxed(title, node.children[1:], self.anchor_array(node), "accent")
        self.solutions.setdefault(self.page, []).append(body)
        return ""

    # tables

    def table(self, node: Any) -> str:
        group = next(node.findall(nodes.tgroup))

        def cells(part: nodes.Element) -> list[str]:
            return [f"[{self.children(x).strip()}]" for row in part.findall(nodes.row) for x in row.children]

        head = [x for part in group.findall(nodes.thead) for x in cells(part)]
        body = [x for part in group.findall(nodes.tbody) for x in cells(part)]
        columns = [
            [TEX_COMMANDS.sub("", row[k].astext()) for row in group.findall(nodes.row)] for k in range(group["cols"])
        ]
        widths = [
            max(1.3 * max(map(len, re.split(r"\s", " ".join(x)))), min(60, max(map(len, x)))) + 4 for x in columns
        ]
        natural = sum(widths) < 70
        columns_of_typst = ", ".join("auto" if natural else f"{x}fr" for x in widths)
        return f"\n\n#grid-table(({columns_of_typst},), ({''.join(x + ',' for x in head)}), {', '.join(body)})\n\n"

    # works

    def citation(self, node: Any) -> str:
        return f"\n\n#work[{''.join(map(self.children, node.children[1:])).strip()}]\n\n"


def element_names(page: str, tree: nodes.document) -> dict[tuple[str, str], str]:
    """Return {(page, id): name} of a page and of all that has an id in it; things with several ids have one name."""
    names = {(page, ""): f"{page}#"}
    for node in tree.findall(nodes.Element):
        names |= {(page, known): f"{page}#{node['ids'][0]}" for known in node["ids"]}
    first = next(tree.findall(nodes.section))
    return names | {(page, known): f"{page}#" for known in first["ids"]}


def toc_pages(pages: Iterable[dict[str, Any]], depth: int) -> Iterator[tuple[str, int]]:
    """Yield (name, depth) of the pages of _toc.yml, in their order."""
    for page in pages:
        yield page["file"], depth
        yield from toc_pages(page.get("sections", ()), depth + 1)


def is_formula(node: Any) -> bool:
    """Return whether a node is a formula, in a line or displayed."""
    return isinstance(node, nodes.math | nodes.math_block)


def is_link(node: Any) -> bool:
    """Return whether a node leads to another place of the book."""
    return isinstance(node, nodes.reference) and ("refid" in node or bool(node.get("internal")))
