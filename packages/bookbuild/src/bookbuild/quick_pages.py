"""A Sphinx extension: pages are written by several processes, and what is asked for hundreds of times is read once.

Pages are read by one process, since eqproof's extension and others need all of them in one; Jupyter Book passes no number of processes
on, so it is set once all is read.
"""

from typing import Any

import pybtex.plugin
from docutils import nodes
from sphinx.application import Sphinx
from sphinx.builders import Builder
from sphinx.domains.std import StandardDomain
from sphinx.environment import BuildEnvironment

from bookbuild.run_notebooks import jobs

BACKENDS = ("plaintext", "markdown")  # of citations: pybtex looks through all installed packages at each


def write_in_parallel(app: Sphinx, env: BuildEnvironment) -> None:
    """Let as many processes write as may run."""
    app.parallel = jobs()


class ReadOnce:
    """An environment whose documents are read once, for who changes none of them."""

    def __init__(self, env: BuildEnvironment) -> None:
        self.env = env
        self.trees: dict[str, nodes.document] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self.env, name)

    def get_doctree(self, docname: str) -> nodes.document:
        """Return the document as Sphinx has read it."""
        if docname not in self.trees:
            self.trees[docname] = self.env.get_doctree(docname)
        return self.trees[docname]


class QuickStandardDomain(StandardDomain):
    """Sphinx's own domain; a reference by number does not read the whole page again to which it leads."""

    once: ReadOnce | None = None

    def resolve_xref(
        self,
        env: BuildEnvironment,
        fromdocname: str,
        builder: Builder,
        typ: str,
        target: str,
        node: Any,
        contnode: nodes.Element,
    ) -> nodes.Element | None:
        """Return the node that a reference becomes, as Sphinx does."""
        self.once = self.once or ReadOnce(env)
        seen: Any = self.once if typ == "numref" else env
        return super().resolve_xref(seen, fromdocname, builder, typ, target, node, contnode)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register with Sphinx."""
    for name in BACKENDS:
        backend = pybtex.plugin.find_plugin("pybtex.backends", name)
        pybtex.plugin.register_plugin("pybtex.backends", name, backend, force=True)
    app.add_domain(QuickStandardDomain, override=True)
    app.connect("env-check-consistency", write_in_parallel)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
