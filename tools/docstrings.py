"""A Sphinx extension: shows docstrings of robotdyn in the API page as they are written, which is not reStructuredText.

The first paragraph becomes a sentence of the page, with `names` as code; what follows (shapes, units, ways to fail,
where it comes from) keeps its lines.
"""

import re


def first_paragraph(text):
    """Return reStructuredText that shows plain text literally, except that `name` becomes code."""
    parts = re.split(r"`+([^`]+)`+", text)
    return "".join(f"``{part}``" if i % 2 else re.sub(r"([\\*|_<>])", r"\\\1", part) for i, part in enumerate(parts))


def rewrite(app, what, name, obj, options, lines):
    """Replace the lines of one docstring, in place, by reStructuredText that shows them."""
    text = "\n".join(lines).strip()
    if not text:
        return
    head, _, rest = text.partition("\n\n")
    lines[:] = [first_paragraph(" ".join(head.split())), ""]
    if rest:
        lines += [".. code-block:: text", "   :class: docstring", "", *(f"   {line}" for line in rest.split("\n")), ""]


def setup(app):
    """Register with Sphinx."""
    app.connect("autodoc-process-docstring", rewrite)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
