"""Tables and pages for a teacher: read and written in one way, and no cell is a formula."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from coursework.grading.course import write

if TYPE_CHECKING:
    from coursework.grading.aliases import Row

FORMULA = re.compile(  # where one may begin, with wide signs of Asia too; many countries' tables have semicolons
    r"(?:^|;\s*)(?=[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20])"
)

SEPARATED = re.compile(r"sep=.", re.I)


def read_table(path: str | Path) -> tuple[Sequence[str], list[tuple[int, Row]]]:
    """Return (the columns, [(number of the line, row)]) of a table with commas or, as in many countries, semicolons, or with tabs.

    It is in UTF-8, or in UTF-16 as Excel's Unicode text is; a first line `sep=;`, which Excel reads, is none of the table.
    """
    raw = Path(path).read_bytes()
    wide = raw[:2] in (b"\xff\xfe", b"\xfe\xff")
    try:
        text = raw.decode("utf-16" if wide else "utf-8-sig")
        if "\0" in text:  # UTF-16 whose first bytes, which say so, are lost
            raise UnicodeError
    except UnicodeError:
        raise ValueError(f"{path} must be text in UTF-8: save it as CSV UTF-8") from None
    head, _, rest = text.partition("\n")
    skipped = int(SEPARATED.fullmatch(head.strip()) is not None)
    text = rest if skipped else text
    between = max(",;\t", key=text.partition("\n")[0].count)
    try:
        table = csv.DictReader(io.StringIO(text, newline=""), delimiter=between, strict=True)
        rows = [(table.line_num + skipped, row) for row in table]
        return table.fieldnames or (), rows
    except csv.Error as error:
        raise ValueError(f"{path} must be a table (CSV): {error}; is there a quote that nothing ends?") from None


def write_table(path: Path, table: list[Row]) -> None:
    """Write dicts as CSV, no cell of which is a formula."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=list(table[0]) if table else ["student"])
    writer.writeheader()
    writer.writerows({name: plain(value) for name, value in row.items()} for row in table)
    write(path, text.getvalue().encode("utf8"))


def plain(value: Any) -> Any:
    """Return a value that no spreadsheet takes for a formula."""
    return FORMULA.sub(lambda found: f"{found[0]}'", value) if isinstance(value, str) else value


def write_page(path: Path, template: str, found: Mapping[str, Any], table: list[Row]) -> tuple[Path, Path]:
    """Write what was found as a page, by a template of this folder, and its table beside it (.csv); return both paths."""
    from jinja2 import Environment, PackageLoader, select_autoescape

    if path.suffix.lower() not in (".html", ".htm"):
        name = template.removesuffix(".html")
        raise ValueError(f"{name} must have a page to write, such as {template}, got {path}")
    loader = PackageLoader("coursework.grading", ".")
    pages = Environment(loader=loader, autoescape=select_autoescape(), trim_blocks=True, lstrip_blocks=True)
    write(path, pages.get_template(template).render(**found).encode())
    write_table(path.with_suffix(".csv"), table)
    return path, path.with_suffix(".csv")
