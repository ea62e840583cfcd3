"""A Sphinx extension: a link to a term of the glossary says what the term means where it stands, in the title of the link."""

import functools
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform

END_OF_DEFINITION = "In this book:"  # the words after it say where


class TermDefinitions(SphinxPostTransform):
    """Give each link to a term its definition, after all references are resolved."""

    default_priority = 950
    formats = ("html",)

    def run(self, **kwargs: object) -> None:
        """Write the titles."""
        links = list(self.document.findall(is_term_link))
        meant = definitions(self.env) if links else {}
        for link in links:
            link["reftitle"] = meant[link.get("refid") or link["refuri"].partition("#")[2]]


def is_term_link(node: nodes.Node) -> bool:
    """Return whether a node is a link to a term of a glossary."""
    return isinstance(node, nodes.reference) and any(
        "std-term" in x.get("classes", ()) for x in node.findall(nodes.inline)
    )


@functools.lru_cache(maxsize=1)
def definitions(env: Any) -> dict[str, str]:
    """Return {anchor: what the term means} of all glossaries."""
    terms = [x for x in env.get_domain("std").get_objects() if x[2] == "term"]
    found: dict[str, str] = {}
    for page in sorted({docname for _, _, _, docname, _, _ in terms}):
        for glossary in env.get_doctree(page).findall(addnodes.glossary):
            for entry in glossary.findall(nodes.definition_list_item):
                meaning = " ".join(entry.children[-1].astext().split()).partition(END_OF_DEFINITION)[0].strip()
                found |= {known: meaning for term in entry.findall(nodes.term) for known in term["ids"]}
    return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    app.add_post_transform(TermDefinitions)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
