"""Grafts a student's answers into the released notebook, so that no pasted, deleted, retyped or renamed cell does harm.

What the student wrote runs in the student's order.  The cells that hand in and the first cell are the released ones:
each hand-in cell runs after its answer, wherever that has gone.  Cells are known by their nbgrader id, else by their
cell id, else by what they say.
"""

import copy
import re

QUOTED = r"""[^()"']|"[^"\n]{0,60}"|'[^'\n]{0,60}'"""  # bounds keep every search short
INSIDE = rf"(?:{QUOTED}|\((?:{QUOTED}){{0,30}}\)){{0,80}}?"
BEGIN = re.compile(r"""check\.begin\(\s*(["'][^"'\n]{0,80}["'])""" + INSIDE + r"\)")
DEFINES = r"^[ \t]*(?:def\s+{0}\s*\(|{0}\s*(?::[^=\n]+)?=|[\w ,()]{{0,200}}\b{0}\b[\w ,()]{{0,200}}=[^=])"  # a cell defines a name
TAG = re.compile(r"<(?=[A-Za-z/!?])")
WRITTEN_OUT = re.compile(r"&(?=(?:amp;?)*(?:#|colon;|Tab;|NewLine;))", re.I)  # a letter or colon in disguise
GAP = r"[\s\\\x00-\x20]{0,9}"
LINK = re.compile(  # a link that runs a script: in a text, and in a formula of a text
    "(" + "|".join(GAP.join(word) + GAP for word in ("javascript", "vbscript", "data")) + r"):|\\href", re.I
)
ANSWER = re.compile(r"check\.answer\(\s*[\"']([\w-]+)[\"']")


def role_of(cell):
    """Return the role of a released cell, and its question: begin, answer, work, person, or text."""
    info = cell.metadata.get("nbgrader", {})
    if cell.cell_type == "code" and BEGIN.search(cell.source):
        return "begin", None
    if info.get("grade") and info.get("solution"):
        return "person", info["grade_id"]
    if info.get("grade"):
        return "answer", info["grade_id"]
    if info.get("solution"):
        return "work", info["grade_id"].removesuffix("-work")
    return ("given" if cell.cell_type == "code" else "text"), None


def with_identity(source, student, seed):
    """Return the source of a cell that begins with this student's id and the seed of the grader."""
    return BEGIN.sub(lambda found: f"check.begin({found[1]}, student={student!r}, seed={seed!r})", source)


def graft(released, submitted, student, seed):
    """Return the notebook to execute: the released one with the student's answers, each cell with its role."""
    parts = [(cell, *role_of(cell)) for cell in released.cells]
    order, written = [(cell, _released(cell, parts)) for cell in submitted], {}
    runs = []  # pairs: source, question or None
    for cell, match in order:
        role, question = (match[1], match[2]) if match else (None, None)
        source = with_identity(_source(cell), student, seed)
        if match and role in ("begin", "answer", "text", "given") and not _own_code(match, source, student, seed):
            continue
        if match and role == "person":
            written[question] = source
        elif _is_code(cell, role):
            runs.append((source, question if role == "work" else None))
    return _assemble(released, parts, runs, written, student, seed)


def harmless(text):
    """Return Markdown in which nothing is a tag and no link runs a script: it is shown in the teacher's browser."""
    text = TAG.sub("&lt;", WRITTEN_OUT.sub("& ", text))
    return LINK.sub(lambda found: f"{found[1]} \u2236" if found[1] else "\\ href", text)


def _assemble(released, parts, runs, written, student, seed):
    """Return the notebook: released cells in their places, the student's cells in the student's order between them."""
    nb = copy.deepcopy(released)
    nb.cells = []
    answered = _places_of_answers(parts, runs)
    waiting = list(runs)
    seen_work = set()

    def take(count):
        for _ in range(count):
            source, question = waiting.pop(0)
            node = _node(source, question if question not in seen_work else None, parts)
            seen_work.add(question)
            nb.cells.append(_marked(node, "work", question))

    for place, (cell, role, question) in enumerate(parts):
        cell = copy.deepcopy(cell)
        if role == "begin":
            cell.source = with_identity(cell.source, student, seed)
            nb.cells.append(_marked(cell, "begin", None))
        elif role == "work":
            continue
        elif role == "answer":
            take(max(0, answered[question] - (len(runs) - len(waiting))))
            nb.cells.append(_marked(cell, "answer", question))
        elif role == "person":
            if question in written:
                cell.source = harmless(written[question])
            nb.cells.append(_marked(cell, "person", question))
        else:
            nb.cells.append(_marked(cell, role, None))
    take(len(waiting))
    present = {cell.metadata.nbgrader.grade_id for cell in nb.cells if "nbgrader" in cell.metadata}
    for cell, role, question in parts:  # nbgrader wants to see every solution cell, also a deleted one
        if role == "work" and cell.metadata.nbgrader.grade_id not in present:
            empty = copy.deepcopy(cell)
            empty.source = "# This cell is not in the submission; what was written elsewhere stands above."
            nb.cells.append(_marked(empty, "lost", question))
    return _with_ids(nb)


def _places_of_answers(parts, runs):
    """Return, for each question, how many of the student's cells run before its hand-in cell.

    Known answers run up to the last cell of the question.  What is defined elsewhere counts: the cell that last
    defines the name that is handed in, if the question's own cell was deleted or left empty.
    """
    answered, before = {}, 0
    for cell, role, question in parts:
        if role != "answer":
            continue
        own = [place + 1 for place, run in enumerate(runs) if run[1] == question]
        name = re.search(r"check\.answer\([^,]+,\s*([A-Za-z_]\w*)", cell.source)
        defines = re.compile(DEFINES.format(name[1]), re.M) if name else None
        if defines and not any(defines.search(runs[place - 1][0]) for place in own):
            own += [place + 1 for place, run in enumerate(runs) if defines.search(run[0])]
        before = max(before, max(own, default=0))
        answered[question] = before
    return answered


def _released(cell, parts):
    """Return the released part (cell, role, question) that a submitted cell is, or None."""
    meta = cell.get("metadata") if isinstance(cell.get("metadata"), dict) else {}
    info = meta.get("nbgrader") if isinstance(meta.get("nbgrader"), dict) else {}
    source = _source(cell)
    by_source = [part for part in parts if part[0].source.strip() == source.strip() and source.strip()]
    if by_source:
        return by_source[0]
    if cell.get("cell_type") == "code":
        handed = ANSWER.findall(source)
        if handed and len(source.strip().splitlines()) <= 6:
            for part in parts:
                if part[1] == "answer" and part[2] == handed[-1]:
                    return part
        if BEGIN.search(source) and len(source.strip().splitlines()) <= 12:
            return next((part for part in parts if part[1] == "begin"), None)
    for key in (info.get("grade_id"), cell.get("id")):
        for part in parts:
            known = part[0].metadata.get("nbgrader", {}).get("grade_id"), part[0].get("id")
            if key and key in known and part[1] in ("work", "person"):
                return part
    return None


def _own_code(match, source, student, seed):
    """Return whether a cell that should be a released one holds code of the student's, too."""
    cell, role, _ = match
    if role == "answer":
        rest = [line for line in source.splitlines() if line.strip() and not ANSWER.search(line)]
        return any(not re.match(r"\s*(#|from robotdyn import|import robotdyn|check\.)", line) for line in rest)
    if role == "begin":
        return with_identity(cell.source, student, seed).strip() != source.strip()
    return cell.source.strip() != source.strip()


def _is_code(cell, role):
    """Return whether a cell runs: code, or an answer that was turned into text."""
    return bool(_source(cell).strip()) and (cell.get("cell_type") == "code" or role == "work")


def _node(source, question, parts):
    """Return a student's cell as a clean code cell; the first of a question carries nbgrader's metadata."""
    from nbformat.v4 import new_code_cell

    node = new_code_cell(source)
    for part, role, name in parts:
        if question is not None and role == "work" and name == question:
            node.metadata["nbgrader"] = copy.deepcopy(part.metadata["nbgrader"])
    return node


def _source(cell):
    source = cell.get("source", "")
    return "".join(map(str, source)) if isinstance(source, list) else str(source)


def _marked(cell, role, question):
    cell.metadata["robotdyn"] = {"role": role, "question": question}
    if cell.cell_type == "code":
        cell.outputs, cell.execution_count = [], None
    return cell


def _with_ids(nb):
    for number, cell in enumerate(nb.cells):
        cell["id"] = f"c{number}"
    return nb
