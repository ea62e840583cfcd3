"""A Sphinx extension: the book on paper. A builder `typst` writes what Sphinx has numbered and resolved as one document.

`make pdf` sets it: pandoc turns the formulas from TeX into Typst, all at once, Typst makes the pages; how they look stands
in tools/paper.typ. What a screen can fold or run is left out (checks, code that only draws), solutions stand at the back,
and a link whose words hold no number gets a page. The book for reading devices is made by tools/ebook.py.
"""

import json
import re
import shutil
import subprocess
from importlib import metadata
from pathlib import Path

import edition
import subject_index
import yaml
from check_lines import is_check
from docutils import nodes
from sphinx.builders import Builder
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.transforms.post_transforms import SphinxPostTransform

from eqproof.sphinx import MARKS

HERE = Path(__file__).parent
TOOLS = HERE.parent / ".venv" / "paper"
ON_SCREEN = {f"book/{name}" for name in ("index", "students", "teachers", "grading", "proof-ledger", "api")}
SPECIAL = re.compile(r"""[\\#$*_`<>@\[\]~/=+\-'"]|(?<=^\d)\.|(?<=^\d\d)\.""")
COLOR = re.compile(r"\\textcolor\s*\{(\w+)\}\s*")
NUMBER = re.compile(r"\d")
LETTERS = re.compile(r"\\[A-Za-z]+ ?|[{}_^]")  # of TeX: they take no room on paper


def escaped(text):
    """Return plain text as Typst's markup."""
    return SPECIAL.sub(r"\\\g<0>", text)


def quoted(text):
    """Return a string of Typst's code."""
    return json.dumps(text, ensure_ascii=False)


def grouped(tex, start):
    """Return the end of the group or the single token of TeX that begins at start."""
    if tex[start] != "{":
        return re.compile(r"\\[A-Za-z]+|.", re.S).match(tex, start).end()
    depth = 0
    for place in range(start, len(tex)):
        depth += {"{": 1, "}": -1}.get(tex[place], 0) if tex[place - 1] != "\\" else 0
        if depth == 0:
            return place + 1
    raise ValueError(f"a brace is not closed: {tex}")


def colored(tex):
    """Return TeX in which the words `blue(` and `)` stand, as text, around what pandoc would not read: \\textcolor."""
    while found := COLOR.search(tex):
        end = grouped(tex, found.end())
        inner = tex[found.end() : end].removeprefix("{").removesuffix("}")
        tex = f"{tex[: found.start()]}{{\\text{{⟦{found[1]}⟧}}{inner}\\text{{⟦⟧}}}}{tex[end:]}"
    return tex


def converted(formulas):
    """Return {TeX: Typst} of formulas, by one run of pandoc over a document of its own making."""
    pandoc = next(TOOLS.glob("lib/python*/site-packages/pypandoc/files/pandoc*"))
    todo = list(dict.fromkeys(formulas))
    blocks = [{"t": "Para", "c": [{"t": "Math", "c": [{"t": "DisplayMath"}, colored(tex)]}]} for tex in todo]
    document = json.dumps({"pandoc-api-version": [1, 23, 1], "meta": {}, "blocks": blocks})
    command = [pandoc, "-f", "json", "-t", "typst", "--wrap=none"]
    done = subprocess.run(command, input=document, capture_output=True, text=True, check=True, encoding="utf8")
    if done.stderr.strip():
        raise ValueError(f"pandoc does not read a formula: {done.stderr.strip()[:2000]}")
    made = [block.strip().removeprefix("$").removesuffix("$").strip() for block in done.stdout.split("\n\n")]
    return dict(zip(todo, map(finished, made), strict=True))


def finished(formula):
    """Return a formula of pandoc's with the colors of its terms."""
    formula = re.sub(r'(?:upright\()?"⟦(\w+)⟧"\)?', r"\1(", formula)
    return re.sub(r'(?:upright\()?"⟦⟧"\)?', ")", formula)


class Paper(SphinxPostTransform):
    """Leaves out what paper cannot unfold: checks, and code that only draws."""

    default_priority = 3  # before outputs are chosen and cells are folded

    def run(self, **kwargs):
        """Do so for paper alone."""
        if self.app.builder.name not in ("typst", "epub"):
            return
        for cell in list(self.document.findall(nodes.container)):
            if is_check(cell) or (cell.get("nb_element") == "cell_code_source" and cell.parent.get("hide_mode")):
                cell.parent.remove(cell)


class TypstBuilder(Builder):
    """Writes _build/typst/book.typ, with all that it needs beside it."""

    name = format = "typst"
    epilog = "The document is in %(outdir)s."
    allow_parallel = False
    supported_image_types = StandaloneHTMLBuilder.supported_image_types

    def init(self):
        """Nothing is written yet."""
        self.trees = {}

    def get_outdated_docs(self):
        """Return all pages: they make one document."""
        return self.env.found_docs

    def get_target_uri(self, docname, typ=None):
        """Return what a reference to a page begins with."""
        return docname

    def get_relative_uri(self, from_, to, typ=None):
        """Return the same from everywhere: all pages are one."""
        return to

    def prepare_writing(self, docnames):
        """Nothing is needed."""

    def write_doc(self, docname, doctree):
        """Keep the tree of a page."""
        self.trees[docname] = doctree

    def finish(self):
        """Write the document."""
        out = Path(self.outdir)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir(parents=True)
        writer = Writer(self)
        (out / "book.typ").write_text(writer.book(), encoding="utf8")
        shutil.copy(HERE / "paper.typ", out)
        shutil.copy(HERE.parent / "book" / "_static" / "cover.svg", out)
        for name, source in writer.pictures.items():
            shutil.copy(source, out / name)


class Writer:
    """Writes nodes of docutils as Typst: a method for each kind, named after it; a kind without one is an error."""

    def __init__(self, builder):
        self.builder, self.env, self.trees = builder, builder.env, builder.trees
        self.edition = builder.app.edition
        toc = yaml.safe_load(edition.contents((HERE.parent / "_toc.yml").read_text(encoding="utf8"), self.edition))
        self.parts = [(x.get("caption", ""), list(files(x["chapters"], 2))) for x in toc["parts"]]
        self.order = [name for _, pages in self.parts for name, _ in pages if name not in ON_SCREEN]
        self.trees = {name: builder.trees[name] for name in self.order}
        self.verdicts = {x.label: x for report in builder.app.proof_documents.values() for x in report.results}
        self.formulas = converted(
            node.astext().strip() for tree in self.trees.values() for node in tree.findall(is_formula)
        )
        self.names = {}  # (page, id): the first id of the thing that has it
        for name, tree in self.trees.items():
            self.names[name, ""] = f"{name}#"
            for node in tree.findall(nodes.Element):
                for known in node["ids"]:
                    self.names[name, known] = f"{name}#{node['ids'][0]}"
            first = next(tree.findall(nodes.section))
            self.names |= {(name, known): f"{name}#" for known in first["ids"]}
        self.asked = {self.goal(x) for tree in self.trees.values() for x in tree.findall(is_link)} - {None}
        self.asked |= {self.names[page, x] for page, x in self.names if x.startswith("ex-")}
        self.pictures, self.solutions = {}, {}
        self.page, self.depth = "", 1

    def goal(self, link):
        """Return the name of what a reference leads to, None if that is not in this book."""
        if "refid" in link:
            return self.names.get((self.page_of(link), link["refid"]))
        page, _, known = link["refuri"].partition("#")
        return self.names.get((page, known)) if link.get("internal") else None

    def page_of(self, node):
        """Return the page on which a node stands."""
        return self.env.path2doc(node.document["source"]) if node.document is not None else self.page

    # the whole

    def book(self):
        """Return the document."""
        conf, marks = (
            self.builder.config,
            [f"({quoted(sign)}, {quoted(meaning)})" for sign, _, meaning in MARKS.values()],
        )
        about = {"title": quoted(conf.html_title), "author": quoted(conf.author), "year": quoted(conf.copyright)}
        about |= {"version": quoted(metadata.version("robotdyn")), "marks": f"({', '.join(marks)})"}
        about |= {"edition": quoted(edition.TITLES[self.edition]), "solved": str(self.edition != "student").lower()}
        text = ['#import "paper.typ": *', f"#show: book.with({', '.join(f'{x}: {y}' for x, y in about.items())})"]
        for caption, pages in self.parts:
            pages = [(name, depth) for name, depth in pages if name not in ON_SCREEN]
            if caption and pages:
                text.append(f"#part[{escaped(caption)}]")
            for name, depth in pages:
                self.page, self.depth = name, 1
                text.append(self.inside(self.trees[name]))
        text.append(self.back())
        return "\n\n".join(text)

    def back(self):
        """Return the solutions and the index of terms."""
        text = ["#part[Back matter]"]
        text += ['#chapter("", "solutions#")[Solutions to the exercises]'] if self.solutions else []
        for page, solutions in self.solutions.items():
            title = self.children(next(self.trees[page].findall(nodes.title)))
            text += [f'#section(3, "", "solutions-{page}")[{title}]', *solutions]
        places = {}
        for page, terms in subject_index.terms().items():
            for term, section in terms.items():
                places.setdefault(term, []).append(self.names[f"book/{page}", section])
        entries = [f"({quoted(x)}, ({', '.join(map(quoted, places[x]))},))," for x in sorted(places, key=str.lower)]
        return "\n\n".join([*text, '#chapter("", "index#")[Index]', "#index((" + "\n".join(entries) + "))"])

    def number(self, kind, node):
        """Return the number of a figure, a table or an equation, as the web has it."""
        known = self.env.toc_fignumbers.get(self.page, {}).get(kind, {})
        return next((".".join(map(str, known[x])) for x in node["ids"] if x in known), "")

    # what every node becomes

    def inside(self, node):
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
        return "".join(f"#anchor({quoted(x)});" for x in self.called(node)) + made

    def children(self, node):
        """Return what stands in a node."""
        return "".join(map(self.inside, node.children))

    def called(self, node):
        """Return the names by which links ask for a node."""
        known = self.names.get((self.page, node["ids"][0])) if node["ids"] else None
        return [known] if known in self.asked else []

    def tuple(self, node):
        """Return those names as an array of Typst."""
        return f"({''.join(quoted(x) + ',' for x in self.called(node))})"

    def block(self, node):
        """Return what stands in a node, as a paragraph of its own."""
        return f"\n\n{self.children(node)}\n\n"

    document = definition_list = compound = container = block_quote_plain = children
    inline = bibliography = children
    term_plain = block

    def paragraph(self, node):
        told = [x for x in node.children if x.astext()]
        if told and isinstance(told[0], nodes.strong) and isinstance(told[-1], nodes.strong):  # a title
            return f"\n\n#lead[{self.children(node)}]\n\n"
        return self.block(node)

    def nothing(self, node):
        """Return nothing: it is for screens, or stands elsewhere."""
        return ""

    meta = index = comment = toctree = raw = target = colspec = substitution_definition = only = nothing

    def Text(self, node):
        return escaped(node.astext())

    def styled(name):
        return lambda self, node: f"#{name}[{self.children(node)}];"

    emphasis, strong, subscript, superscript = map(styled, ("emph", "strong", "sub", "super"))
    title_reference = emphasis
    footnote_reference = superscript

    def literal(self, node):
        return f"#raw({quoted(node.astext())});"

    def math(self, node):
        tex = node.astext().strip()
        return f"#m({quoted(tex)}, ${self.formulas[tex]}$);"

    def math_block(self, node):
        tex, result = node.astext().strip(), self.verdicts.get(node.get("label"))
        sign, word, _ = MARKS[result.kind] if result else ("", "", "")
        number = self.number("displaymath", node) or str(node.get("number") or "")
        body = f"shown({quoted(tex)}, $ {self.formulas[tex]} $)"
        return f"\n\n#numbered({self.tuple(node)}, {quoted(number)}, {quoted(sign)}, {quoted(word)}, {body})\n\n"

    def reference(self, node):
        words = self.children(node)
        if "refuri" in node and not node.get("internal"):
            return f"#link({quoted(node['refuri'])})[{words}];"
        name = self.goal(node)
        if name is None:
            return words
        return f"#{'to' if NUMBER.search(node.astext()) else 'see'}({quoted(name)}, [{words}]);"

    number_reference = reference

    def section(self, node):
        if not isinstance(node[0], nodes.title):  # what an exercise holds
            return self.children(node)
        first = node.parent is self.trees[self.page]
        names = [self.names[self.page, ""] if first else self.names[self.page, node["ids"][0]]]
        numbers = self.env.toc_secnumbers.get(self.page, {})
        number = ".".join(map(str, numbers.get("" if first else f"#{node['ids'][0]}", ())))
        title = self.children(node[0])
        alone = any(self.page == name for caption, pages in self.parts if not caption for name, _ in pages)
        head = f"#chapter({quoted(number)}, {quoted(names[0])}, level: {1 if alone else 2})[{title}]"
        if not first:
            head = f"#section({self.depth + 1}, {quoted(number)}, {quoted(names[0])})[{title}]"
        self.depth += 1
        made = f"\n\n{head}\n\n" + "".join(map(self.inside, node.children[1:]))
        self.depth -= 1
        return made

    def rubric(self, node):
        return f"\n\n#lead[#strong[{self.children(node)}]]\n\n"

    # lists

    def items(call):
        return lambda self, node: (
            f"\n\n#{call}({''.join(f'[{self.children(x).strip()}], ' for x in node.children)})\n\n"
        )

    bullet_list, enumerated_list = items("list"), items("enum")

    def definition_list_item(self, node):
        return f"\n\n#terms.item([{self.children(node[0])}], [{self.children(node[-1]).strip()}])\n\n"

    def line_block(self, node):
        return "\n\n" + " \\\n".join(self.children(x).strip() for x in node.children) + "\n\n"

    # code and what it shows

    def literal_block(self, node):
        if node.parent.get("nb_element") == "cell_code_output" or "output" in node["classes"]:
            return f"\n\n#output({quoted(node.astext().rstrip())})\n\n"
        lang = "python" if node.get("language") in ("python", "ipython3", "default") else "text"
        return f"\n\n#code({quoted(lang)}, {quoted(node.astext().rstrip())})\n\n"

    doctest_block = literal_block

    # pictures

    def image(self, node, names="()", caption="none"):
        source = Path(self.env.srcdir) / node["uri"]
        name = f"{source.stem[:40]}{source.suffix}"
        self.pictures[name] = source
        wide, moves = self.width(source), "tag_moving-figure" in node.parent.parent["classes"]
        if moves:
            caption = (
                "[#text(fill: soft)[This figure moves, and can be dragged, on the page of this name on a screen.]]"
            )
        alt = node.get("alt") or ("A still of a figure that moves." if moves else "A picture that the text describes.")
        return f"\n\n#picture({names}, {quoted(name)}, {quoted(alt)}, {caption}, {wide})\n\n"

    def width(self, source):
        """Return how wide a picture is printed: as wide as drawn, at most as wide as a column."""
        head = source.read_text(encoding="utf8")[:2000] if source.suffix == ".svg" else ""
        drawn = re.search(r'<svg[^>]*? width="([\d.]+)pt"', head)
        return f"calc.min(100, {float(drawn[1]) * 100 / 504 if drawn else 80:.1f}) * 1%"

    def figure(self, node):
        number = self.number("figure", node)
        captions = [x for x in node.children if isinstance(x, nodes.caption)]
        words = "".join(map(self.children, captions))
        caption = f"[#strong[Figure {number}.] {words}]" if captions else "none"
        return "".join(self.image(x, self.tuple(node), caption) for x in node.findall(nodes.image))

    # boxes

    def boxed(self, title, children, names="()", color="soft"):
        body = "".join(map(self.inside, children)).strip()
        return f"\n\n#box-of([{title}], [{body}], names: {names}, color: {color})\n\n"

    def admonition(self, node):
        titled = isinstance(node[0], nodes.title | nodes.rubric)
        title = self.children(node[0]) if titled else type(node).__name__.capitalize()
        return self.boxed(title, node.children[titled:], self.tuple(node))

    note = warning = tip = important = hint = seealso = caution = attention = admonition

    def block_quote(self, node):
        return f"\n\n#quote(block: true)[{self.children(node).strip()}]\n\n"

    def exercise_enumerable_node(self, node):
        words = self.children(node[0]).strip().removeprefix("· ")
        title = f"Exercise {self.number('exercise', node)} · {words}"
        return self.boxed(title, node.children[1:], self.tuple(node), "house")

    def solution_node(self, node):
        exercise = self.builder.env.sphinx_exercise_registry[node["target_label"]]["node"]
        name = self.names[self.page, exercise["ids"][0]]
        title = f"#see({quoted(name)}, [Exercise {self.number('exercise', exercise)}]);"
        body = self.boxed(title, node.children[1:], self.tuple(node), "house")
        self.solutions.setdefault(self.page, []).append(body)
        return ""

    # tables

    def table(self, node):
        group = next(node.findall(nodes.tgroup))
        cells = lambda part: [f"[{self.children(x).strip()}]" for row in part.findall(nodes.row) for x in row.children]
        head = [x for part in group.findall(nodes.thead) for x in cells(part)]
        body = [x for part in group.findall(nodes.tbody) for x in cells(part)]
        columns = [[LETTERS.sub("", row[k].astext()) for row in group.findall(nodes.row)] for k in range(group["cols"])]
        wide = [max(1.3 * max(map(len, re.split(r"\s", " ".join(x)))), min(60, max(map(len, x)))) + 4 for x in columns]
        room = "auto" if sum(wide) < 70 else "fr"
        wide = ", ".join("auto" if room == "auto" else f"{x}fr" for x in wide)
        return f"\n\n#grid-table(({wide},), ({''.join(x + ',' for x in head)}), {', '.join(body)})\n\n"

    # works

    def citation(self, node):
        return f"\n\n#work[{''.join(map(self.children, node.children[1:])).strip()}]\n\n"


def files(pages, depth):
    """Yield (name, depth) of the pages of _toc.yml, in their order."""
    for page in pages:
        yield page["file"], depth
        yield from files(page.get("sections", ()), depth + 1)


def is_formula(node):
    """Return whether a node is a formula, in a line or displayed."""
    return isinstance(node, nodes.math | nodes.math_block)


def is_link(node):
    """Return whether a node leads to another place of the book."""
    return isinstance(node, nodes.reference) and ("refid" in node or bool(node.get("internal")))


def setup(app):
    """Register with Sphinx."""
    app.add_builder(TypstBuilder)
    app.add_post_transform(Paper)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
