"""A Sphinx extension: the book for reading devices. It writes the pages of an EPUB, and packs them: `make epub`.

Sphinx's own builder makes the pages; contents, package and cover are made here, from the parts, chapters and sections that
the book has. Formulas are MathML, in which a bold letter is a letter of Unicode (U+1D400 and after): browsers, and readers
that are built on them, know no other bold there. The font that has these letters comes along, without what no formula uses.
"""

import html
import io
import json
import os
import re
import time
import uuid
import zipfile
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

from docutils import nodes
from fontTools import subset
from fontTools.ttLib import TTFont
from sphinx.application import Sphinx
from sphinx.builders.epub3 import Epub3Builder
from sphinx.config import Config

from bookbuild import typeset
from coursework.mathml import math_alphanumeric, with_math_alphanumerics

HERE = Path(__file__).parent
NAMESPACES: dict[str, str] = {"math": "http://www.w3.org/1998/Math/MathML", "svg": "http://www.w3.org/2000/svg"}
EPUB_RULES: list[
    tuple[str, str, str | Callable[[re.Match[str]], str]]
] = [  # what Sphinx and its extensions write for browsers, and EPUB does not allow
    (r"\.svg$", r"<!DOCTYPE.*?>", ""),
    (r"\.svg$", r' id="image\w+"', ""),
    (r"\.svg$", r"<path(?![^>]*\bd=)", '<path d="M0 0"'),
    (r"\.xhtml$", r"<(math|svg)(?![^>]*xmlns=)", lambda x: f'<{x[1]} xmlns="{NAMESPACES[x[1]]}"'),
    (r"\.xhtml$", r'<link [^>]*href="[^"]*(?:_static|css)/(?!epub|pygments)[^"]*\.css[^"]*"[^>]*/?>', ""),
    (r"\.xhtml$", r' id="(?:solution|exercise)-content"', ""),
    (r"\.xhtml$", r'(href="(?:\.\./)*(?:proofs/)?[\w-]+)\.html(?=[#"])', r"\1.xhtml"),
]
MEDIA_TYPES = {
    ".xhtml": "application/xhtml+xml",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".jpg": "image/jpeg",
    ".otf": "font/otf",
    ".ncx": "application/x-dtbncx+xml",
}
PAGE = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="en" xml:lang="en">
<head><title>{title}</title><link rel="stylesheet" href="_static/epub.css"/></head>
<body>
{body}
</body>
</html>
"""
PACKAGE = """<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" xml:lang="en" unique-identifier="book">
<metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
{about}
</metadata>
<manifest>
{manifest}
</manifest>
<spine toc="ncx">
{spine}
</spine>
</package>
"""
NCX = """<?xml version="1.0" encoding="UTF-8"?>
<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/" version="2005-1" xml:lang="en">
<head><meta name="dtb:uid" content="{identifier}"/></head>
<docTitle><text>{title}</text></docTitle>
<navMap>
{points}
</navMap>
</ncx>
"""
CONTAINER = """<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
<rootfiles><rootfile full-path="content.opf" media-type="application/oebps-package+xml"/></rootfiles>
</container>
"""
ACCESSIBILITY = {  # of schema.org: what those learn who choose a book by how they can read it
    "accessMode": ("textual", "visual"),
    "accessModeSufficient": ("textual,visual", "textual"),
    "accessibilityFeature": ("MathML", "alternativeText", "tableOfContents", "structuralNavigation", "readingOrder"),
    "accessibilityHazard": ("none",),
    "accessibilitySummary": ("Formulas are MathML; every picture has words for those who do not see it.",),
}


# formulas


def put_mathml(
    app: Sphinx, pagename: str, templatename: str, context: dict[str, Any], doctree: nodes.document | None
) -> None:
    """Put MathML in the place of the formulas of a page of the EPUB: what MathJax has made for those who hear a page."""
    if app.builder.name == "epub" and context.get("body"):
        cache = typeset.FormulaCache(Path(app.outdir).parent / ".formulas.json")
        cache.add(typeset.formulas(context["body"]))
        found = re.compile(r"<mjx-container.*?(<math.*?</math>).*?</mjx-container>", re.S)
        context["body"] = found.sub(lambda x: with_math_alphanumerics(x[1]), cache.typeset_page(context["body"]))


# contents


# where: say how the book looks on a reading device, or what its package holds
# the look stands in `bookbuild/epub.css`
class EpubBuilder(Epub3Builder):
    """Writes the pages below _build/epub, and beside them contents.json: what is there, in which order, under which titles."""

    def handle_finish(self) -> None:
        """Write the contents; `pack` makes the book of them."""
        made = [self.part_entry(caption, names) for caption, names in self.toc_parts()]
        (Path(self.outdir) / "contents.json").write_text(json.dumps(made), "utf8")

    def toc_parts(self) -> list[tuple[str, list[str]]]:
        """Return [(caption or "", the pages of its chapters)] in the order of the table of contents."""
        root = self.env.get_doctree(self.config.root_doc)
        trees = [x for x in root.findall(nodes.Element) if x.tagname == "toctree"]
        return [("", [self.config.root_doc]), *((x.get("caption") or "", x["includefiles"]) for x in trees)]

    def part_entry(self, caption: str, names: list[str]) -> list[Any]:
        """Return a part as an entry: title, address, entries within; one without a caption stands for its pages."""
        return [caption, "", [self.page_entry(name) for name in names]]

    def page_entry(self, name: str) -> list[Any]:
        """Return a page as an entry, its sections and the pages below it within."""
        sections = self.env.tocs[name].children[0]
        within = [
            self.section_entry(name, x) for x in sections.findall(nodes.list_item) if self.depth_below(x, sections) == 1
        ]
        below = self.env.toctree_includes.get(name, []) if name != self.config.root_doc else []
        title = self.numbered_title(name, "", self.env.titles[name])
        return [title, f"{name}.xhtml", [*within, *(self.page_entry(x) for x in below)]]

    def depth_below(self, item: nodes.Node, top: Any) -> int:
        """Return how deep an item of a list stands below another."""
        depth = 0
        while item is not top:
            item = item.parent
            depth += isinstance(item, nodes.list_item)
        return depth

    def section_entry(self, name: str, item: nodes.Element) -> list[Any]:
        """Return a section as an entry."""
        link = next(item.findall(nodes.reference))
        return [self.numbered_title(name, link["anchorname"], link), f"{name}.xhtml{link['anchorname']}", []]

    def numbered_title(self, name: str, anchor: str, title: nodes.Element) -> str:
        """Return a title with its number."""
        number = self.env.toc_secnumbers.get(name, {}).get(anchor, ())
        words = "".join(_formula_as_text(x) if isinstance(x, nodes.math) else x.astext() for x in title.children)
        return f"{'.'.join(map(str, number))}. {words}" if number else words


def _formula_as_text(formula: nodes.math) -> str:
    """Return a short formula of a title as plain text."""
    return re.sub(r"\\(?:boldsymbol|mathrm)|[{}\\]", "", formula.astext()).strip()


# the book


def pack_epub(source: Path, made: Path, about: dict[str, str], cover: bytes, font: Path) -> None:
    """Pack the pages that the builder wrote: about has title, author, edition, version, year, description and rights."""
    parts = json.loads((source / "contents.json").read_text("utf8"))
    contents = [x for part in parts for x in ([part] if part[0] else part[2])]
    pages = list(dict.fromkeys(x.partition("#")[0] for x in entry_addresses(contents)))
    proofs = sorted(x.relative_to(source).as_posix() for x in source.glob("book/proofs/*.xhtml"))
    names = [*pages, *proofs, *(f"_images/{x.name}" for x in sorted((source / "_images").iterdir()))]
    files = {name: apply_epub_rules(name, (source / name).read_bytes()) for name in names}
    files["_static/epub.css"] = (HERE / "epub.css").read_bytes()
    files["_static/pygments.css"] = (source / "_static" / "pygments.css").read_bytes()
    files["_static/math.otf"] = subset_math_font(font, "".join(files[x].decode("utf8") for x in [*pages, *proofs]))
    files["cover.png"] = cover
    files["title.xhtml"] = title_page(about)
    files["nav.xhtml"] = navigation(contents)
    identifier = f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(about, sort_keys=True))}"
    points = "\n".join(navigation_point(x) for x in numbered_entries([["Title page", "title.xhtml", []], *contents]))
    files["toc.ncx"] = NCX.format(identifier=identifier, title=html.escape(about["title"]), points=points).encode()
    package = package_document(files, ["title.xhtml", "nav.xhtml", *pages, *proofs], about | {"identifier": identifier})
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as book:
        book.writestr("mimetype", "application/epub+zip", zipfile.ZIP_STORED)
        book.writestr("META-INF/container.xml", CONTAINER)
        book.writestr("content.opf", package)
        for name, data in files.items():
            book.writestr(name, data)


def entry_addresses(entries: list) -> list[str]:
    """Return the addresses of entries and of all within, in their order; a part's is none."""
    return [x for _, address, within in entries for x in [*([address] if address else []), *entry_addresses(within)]]


def apply_epub_rules(name: str, data: bytes) -> bytes:
    """Return a file as the rules of EPUB ask."""
    for end, wrong, right in EPUB_RULES:
        if re.search(end, name):
            data = re.sub(wrong, right, data.decode("utf8"), flags=re.S).encode("utf8")
    return data


def subset_math_font(font: Path, pages: str) -> bytes:
    """Return a font of formulas with the glyphs that the formulas of pages need, and what stretches them."""
    used = {
        x for found in re.findall(r"<math.*?</math>", pages, re.S) for x in html.unescape(re.sub("<[^>]*>", "", found))
    }
    used |= {math_alphanumeric(x, "italic") for x in used}  # a letter alone is slanted
    chooser = subset.Subsetter(subset.Options(layout_features=["*"], glyph_names=False, notdef_outline=True))
    chooser.populate(unicodes=[ord(x) for x in used])
    with TTFont(font) as whole, io.BytesIO() as made:
        chooser.subset(whole)
        whole.save(made)
        return made.getvalue()


def title_page(about: dict[str, str]) -> bytes:
    """Return the title page."""
    lines = [about["author"], about["edition"], f"Version {about['version']} · {about['year']}", about["rights"]]
    body = f'<section epub:type="titlepage" class="title-page">\n<h1>{html.escape(about["title"])}</h1>\n'
    body += "".join(f"<p>{html.escape(line)}</p>\n" for line in lines if line)
    body += '<p><img src="cover.png" alt="The cover: an arm in several poses."/></p>\n</section>'
    return PAGE.format(title=html.escape(about["title"]), body=body).encode()


def navigation(contents: list) -> bytes:
    """Return the contents as a page of links, in which a part is a title alone."""

    def listed(entries: list) -> str:
        return "<ol>\n" + "".join(map(entry, entries)) + "</ol>\n"

    def entry(x: list) -> str:
        title = html.escape(x[0])
        address = html.escape(x[1])
        within = x[2]
        words = f'<a href="{address}">{title}</a>' if address else f"<span>{title}</span>"
        return f"<li>{words}{listed(within) if within else ''}</li>\n"

    whole = listed([["Title page", "title.xhtml", []], *contents])
    marks = [("titlepage", "title.xhtml", "Title page"), ("toc", "nav.xhtml", "Contents")]
    marks += [
        ("bodymatter", next(x for part in contents if not part[1] for x in entry_addresses([part])), "First chapter")
    ]
    places = "".join(f'<li><a epub:type="{kind}" href="{to}">{words}</a></li>' for kind, to, words in marks)
    body = f'<nav epub:type="toc" id="toc"><h1>Contents</h1>\n{whole}</nav>\n'
    body += f'<nav epub:type="landmarks" hidden=""><h2>Places</h2><ol>{places}</ol></nav>'
    return PAGE.format(title="Contents", body=body).encode()


def numbered_entries(entries: list, start: int = 1) -> list:
    """Return entries as (place in the order of all, title, address, entries within)."""
    made = []
    for title, address, within in entries:
        inner = numbered_entries(within, start + 1)
        made.append((start, title, address or entry_addresses(within)[0], inner))
        start += 1 + len(play_orders(inner))
    return made


def play_orders(entries: list) -> list[int]:
    """Return the places of numbered entries and of all within."""
    return [place for x in entries for place in [x[0], *play_orders(x[3])]]


def navigation_point(entry: tuple) -> str:
    """Return an entry as older readers ask for it."""
    place, title, address, within = entry
    inner = "".join(map(navigation_point, within))
    label = f"<navLabel><text>{html.escape(title)}</text></navLabel>"
    return f'<navPoint id="point-{place}">{label}<content src="{html.escape(address)}"/>{inner}</navPoint>\n'


def package_document(files: dict[str, bytes], spine: list[str], about: dict[str, str]) -> str:
    """Return the package document: what the book is, what it holds, in which order it is read."""
    now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(float(os.environ.get("SOURCE_DATE_EPOCH", time.time()))))
    title = f"{about['title']} ({about['edition']})" if about["edition"] else about["title"]
    metadata_lines = [
        f'<dc:identifier id="book">{about["identifier"]}</dc:identifier>',
        "<dc:language>en</dc:language>",
        f"<dc:title>{html.escape(title)}</dc:title>",
        *(f"<dc:{x}>{html.escape(about['author'])}</dc:{x}>" for x in ("creator", "publisher")),
        f"<dc:date>{about['year']}</dc:date>",
        *(f"<dc:{x}>{html.escape(about[x])}</dc:{x}>" for x in ("description", "rights")),
        "<dc:subject>Robot dynamics</dc:subject>",
        f'<meta property="dcterms:modified">{now}</meta>',
        *(f'<meta property="schema:{x}">{word}</meta>' for x, words in ACCESSIBILITY.items() for word in words),
        '<meta name="cover" content="cover.png"/>',
    ]
    ids = {name: re.sub(r"[^\w.-]", "-", f"x-{name}") for name in files} | {"toc.ncx": "ncx", "cover.png": "cover.png"}
    special = {"nav.xhtml": ["nav"], "cover.png": ["cover-image"]}
    items = []
    for name, data in files.items():
        holds = special.get(name, []) + [
            x.replace("math", "mathml") for x in NAMESPACES if name.endswith(".xhtml") and f"<{x}".encode() in data
        ]
        properties = f' properties="{" ".join(holds)}"' if holds else ""
        items.append(
            f'<item id="{ids[name]}" href="{html.escape(name)}" media-type="{MEDIA_TYPES[Path(name).suffix]}"{properties}/>'
        )
    order = [f'<itemref idref="{ids[name]}"/>' for name in spine]
    return PACKAGE.format(about="\n".join(metadata_lines), manifest="\n".join(items), spine="\n".join(order))


def set_version(app: Sphinx, config: Config) -> None:
    """Give the book the version of the library: an EPUB must have one."""
    config.version = config.version or metadata.version("robotdyn")


def setup(app: Sphinx) -> dict[str, Any]:
    """Called by Sphinx."""
    app.connect("config-inited", set_version, priority=100)
    app.add_builder(EpubBuilder, override=True)
    app.connect("html-page-context", put_mathml, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
