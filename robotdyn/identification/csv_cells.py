"""The cells of a CSV file:  text -> header, line of units, rows, each with the number of its line; any usual separator."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

from robotdyn.identification.csv_names import column_of
from robotdyn.identification.csv_units import is_units_line

BLANK = " "  # the separator of a file whose cells stand apart by any number of blanks and tabs
SPREADSHEET_ERRORS = ("#N/A", "#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!")
QUOTED_OR_BRACKETED = re.compile(r'"[^"]*"|\[[^\[\]]*\]|\([^()]*\)')
MESSAGE_HEADER = re.compile(r'%time"?[,;\t]')  # rostopic begins a header so
TOKEN = re.compile(r'(?:"[^"]*"|\[[^\[\]]*\]|\([^()]*\)|\S)+')
SAMPLE_CELL = re.compile(r"[+-]?[\d.][\d.:TZeE+-]*|[+-]?(?:nan|inf)", re.IGNORECASE)
SEPARATOR_LINE = re.compile(r'"?sep=([,;\t])"?')  # the first line that spreadsheets write for themselves


@dataclass(frozen=True)
class Table:
    """What a file holds: the names of its columns, its units if a line has them, and its samples.

    name: of the file; line: number of the header's line; units: cells of the line of units, None if there is none;
    rows: (line number, cells), each with as many cells as the header.
    """

    name: str
    line: int
    header: list[str]
    units: list[str] | None
    rows: list[tuple[int, list[str]]]


def read_table(name: str, text: str) -> Table:
    """Return the table in a text; lines that begin with # or % are comments, the last of them may be the header."""
    if "\0" in text:
        raise ValueError(f"{name} must be text, but holds zero bytes: is it a spreadsheet? Export it as CSV")
    found = _header_and_rows(name, text.removeprefix("\ufeff").splitlines())
    if len(found) < 3:
        raise ValueError(f"{name} must hold a header and at least two samples, got {len(found)} lines")
    (line, header), rows = found[0], found[1:]
    while not header[-1].strip():
        header = header[:-1]
    header = [cell.strip() for cell in header]
    rows = [(number, _without_blank_end(cells, len(header))) for number, cells in rows]
    units = None
    if is_units_line(rows[0][1]):
        units = rows[0][1]
        rows = rows[1:]
    return Table(name, line, header, units, rows)


def _header_and_rows(name: str, lines: list[str]) -> list[tuple[int, list[str]]]:
    """Return the header, the line of units and the samples, each with the number of its line, in cells."""
    told = SEPARATOR_LINE.fullmatch(lines[0].strip(" ")) if lines else None
    comments = [(k, line) for k, line in enumerate(lines) if _is_comment(line)]
    for k in [k for k, _ in comments] + [0] * bool(told):
        lines[k] = ""
    first = next((k for k, line in enumerate(lines) if line.strip()), len(lines))
    head = _header_comment([line for line in comments if line[0] < first], lines[first]) if first < len(lines) else []
    if head:
        separator = _separator_of_samples(head[0][1], lines[first])
    else:
        separator = separator_of(lines[first] if first < len(lines) else "")
    header = [(k + 1, _split(line, separator_of(line))) for k, line in head]
    return header + _rows(name, lines, told[1] if told else separator)


def separator_of(line: str) -> str:
    """Return the separator of a header: comma, semicolon or tab, whichever it has most of outside quotes and brackets; else blanks."""
    bare = QUOTED_OR_BRACKETED.sub("", line)
    separator = max(",;\t", key=bare.count)
    return separator if separator in bare else BLANK


def _separator_of_samples(header: str, sample: str) -> str:
    """Return the separator of samples below a header that is a comment: that of the header, if they have it."""
    own = separator_of(header)
    if own in sample.strip():
        return own
    return next((separator for separator in ";\t," if separator in sample), BLANK)


def _is_comment(line: str) -> bool:
    start = line.lstrip(' "')
    if MESSAGE_HEADER.match(start) or start.upper().startswith(SPREADSHEET_ERRORS):
        return False
    return start.startswith(("#", "%"))


def _header_comment(comments: list[tuple[int, str]], sample: str) -> list[tuple[int, str]]:
    """Return the comments that are the header, and the line of units, of samples that have no other header; or none."""
    words = re.split(r"[,;\t ]+", sample.strip().strip(",;\t"))
    words = [word.strip('"') for word in words]
    if not any(SAMPLE_CELL.fullmatch(word) for word in words) or any(column_of(0, word) for word in words):
        return []
    bare = [(k, line.lstrip("#% \t").rstrip()) for k, line in comments]
    width = len(_split(sample.strip(",;\t "), _separator_of_samples(bare[-1][1], sample))) if bare else 0
    fitting = [(k, line) for k, line in bare if len(_split(line.rstrip(",;"), separator_of(line))) == width]
    with_units = len(fitting) > 1 and is_units_line(_split(fitting[-1][1], separator_of(fitting[-1][1])))
    return fitting[-2:] if with_units else fitting[-1:]


def _split(line: str, separator: str) -> list[str]:
    """Return the cells of one line; where blanks separate, a unit in brackets belongs to the name before it."""
    if separator != BLANK:
        return next(csv.reader([line], delimiter=separator, skipinitialspace=True), [])
    if not set(line) & set('"[('):
        return line.split()
    cells: list[str] = []
    for token in TOKEN.findall(line):
        if cells and token[0] in "[(":
            cells[-1] += " " + token
        else:
            cells.append(token[1:-1] if len(token) > 1 and token[0] == token[-1] == '"' else token)
    return cells


def _rows(name: str, lines: list[str], separator: str) -> list[tuple[int, list[str]]]:
    """Return the lines that hold something, each with its number, in cells."""
    if separator == BLANK:
        long = next((k for k, line in enumerate(lines, start=1) if len(line) > csv.field_size_limit()), 0)
        if long:
            raise ValueError(
                f"{name} is no CSV file: line larger than field limit ({csv.field_size_limit()}), line {long}"
            )
        split = [(k, _split(line, BLANK)) for k, line in enumerate(lines, start=1)]
        return [(k, cells) for k, cells in split if any(cell.strip() for cell in cells)]
    reader = csv.reader(lines, delimiter=separator, skipinitialspace=separator != "\t")
    found = []
    number = 1
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                found.append((number, cells))
            number = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(f"{name} is no CSV file: {error}, line {number}") from None
    return found


def _without_blank_end(cells: list[str], size: int) -> list[str]:
    """Return the cells of a line without those behind a last separator that the header has no name for."""
    return cells if any(cell.strip() for cell in cells[size:]) else cells[:size]
