"""Which names a cell of a student's defines, told from its text: line by line, so that no search takes long."""

import re

DEFINES = r"(?:def\s+{0}\s*\(|{0}\s*(?::[^=\n]+)?=(?!=)|[\w ,()]{{0,200}}\b{0}\b[\w ,()]{{0,200}}=[^=])"
OPEN = r"{0}\s*=\s*\.\.\.\s*(?:#.*)?$"
LONGEST_LINE = 2000  # characters of a line in which a name is looked for


def defines(source: str, name: str) -> bool:
    """Return whether a line of a cell defines a name, other than `name = ...`, which is still open."""
    whole = re.compile(DEFINES.format(re.escape(name)))
    still_open = re.compile(OPEN.format(re.escape(name)))
    for line in source.split("\n"):
        line = line.strip()[:LONGEST_LINE]
        if name in line and whole.match(line) and not still_open.match(line):
            return True
    return False
