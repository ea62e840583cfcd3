"""Judges answers with all sentences of the checks in other words: python reworded.py (plain | capitals | rotated) < answers.json.

Every literal of a module of the checks, of the assignments and of the grader's that is a sentence, or a part of one, is
changed as its module is compiled, and each of the table of messages by a file as a course has one: into capitals, or each letter by
thirteen places.  What is in braces is left.  Nothing else is changed, so that whoever reads the words to decide something decides otherwise.
"""

import ast
import codecs
import importlib.machinery
import json
import re
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PLACES = (ROOT / "packages/coursework/src/coursework", ROOT / "exercises")
WORDS = re.compile(
    r"\b(?:the|is|it|its|of|with|not|as|where|too|has|are|was|wrong|should|to|be|in place|missing|looks like|or like)\b",
    re.I,
)
WAYS = {"plain": str, "capitals": str.upper, "rotated": lambda text: codecs.encode(text, "rot13")}


def is_sentence(text):
    """Whether a literal is words for a person: several, one of them common; no code, no names, no pattern."""
    return " " in text and bool(WORDS.search(text)) and not re.search(r"\\[bsdwW(]|\n|def |=", text)


class Reworded(ast.NodeTransformer):
    """The same module with its sentences in other words; what documents it stays."""

    def __init__(self, way):
        self.change = lambda text: re.sub(r"\{[^{}]*\}|[^{}]+", lambda m: m[0] if m[0][0] == "{" else way(m[0]), text)

    def visit_Expr(self, node):
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)

    def visit_JoinedStr(self, node):
        words = [part for part in node.values if isinstance(part, ast.Constant)]
        if is_sentence(" ".join(part.value for part in words)):
            for part in words:
                part.value = self.change(part.value)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                self.visit(part)
        return node

    def visit_Constant(self, node):
        if isinstance(node.value, str) and is_sentence(node.value):
            node.value = self.change(node.value)
        return node


def compile_reworded(way):
    """From now on compile each module of the checks that is imported in other words."""
    loader = importlib.machinery.SourceFileLoader
    compiled = loader.source_to_code

    def source_to_code(self, data, path, *more, **options):
        if any(Path(path).is_relative_to(place) for place in PLACES) and Path(path).name != "given.py":
            data = Reworded(way).visit(ast.parse(data))
        return compiled(self, data, path, *more, **options)

    loader.source_to_code = source_to_code
    sys.pycache_prefix = tempfile.mkdtemp()  # nothing that was compiled before, and nothing for others


def speak_reworded(way):
    """From now on say each sentence of the table of messages in other words, as a course does by a file of its own."""
    from coursework.check import messages

    change = Reworded(way).change
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, messages.FILE)
        tables = {}
        for key, words in messages.sentences().items():
            table, _, name = key.partition(".")
            tables.setdefault(table, {})[name] = change(words)
        lines = (f"[{table}]\n" + "\n".join(f"{name} = {json.dumps(words)}" for name, words in some.items()) for table, some in tables.items())  # fmt: skip
        file.write_text("\n".join(lines), encoding="utf-8")
        messages.use(messages.read(file))


def decided(one):
    """What is decided of an answer, and its words: points, what was found as fields, what a page for a class shows of it."""
    from coursework.check.session import assignment_module, parameters_of
    from coursework.grading import report
    from coursework.grading.compare import judge

    name, question, student, reference, data, seed = one
    spec, p = assignment_module(name).QUESTIONS[question], parameters_of(name, student)
    verdict = judge(spec, 1.0, p, reference, data, spec.states(p, f"{seed}|{question}"), seed).as_dict()
    words = verdict.pop("sentences")
    fields = [{key: part[key] for key in ("kind", "mistakes", "quotes_student")} for part in verdict["found"]]
    shown = [named for _, named in report._mistakes(verdict, spec.mistakes)]
    return {"points": verdict["points"], "score": verdict["score"], "found": fields, "shown": shown, "words": words}


def main(way):
    """Judge the answers on standard input, and write what is decided of each."""
    compile_reworded(WAYS[way])
    speak_reworded(WAYS[way])
    json.dump([decided(one) for one in json.load(sys.stdin)], sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
