"""Typical mistakes, generated: what would have to be otherwise for the laws to hold of a wrong answer?

No right answer is needed, nor made: the laws are asked of the answer, changed as a slip would have changed it back, or of
the answer as it is at other numbers, symbols or arguments.  What makes all laws hold, at all samples, is a true sentence: it
says of which kind the mistake is and where, never what is right.
"""

import contextlib
import itertools
import math
import re

from coursework.check import laws
from coursework.check.agreement import entry_name, sampled, values_at
from coursework.check.changes import (
    COUNTED,
    FACTORS,
    MOST_ENTRIES,
    Group,
    Watched,
    edits,
    of_entries,
    of_factors,
    of_increment,
    of_numbers,
    of_place,
    of_value,
    rebuilt,
    scaled,
)
from coursework.check.data import flat
from coursework.check.diagnosis import Mistake, Said, said
from coursework.check.plain import Values
from coursework.lazy_numpy import np

NO_LAW = (ArithmeticError, AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError)
SHARP = 0.99  # of its tolerance: a number that is right by chance is seldom right in the middle
COARSE = 5e-3  # a law that lets a number be off by so much on both sides tells slips of sign, order and unit alone
PLAIN = {Mistake.SIGN, Mistake.ORDER, Mistake.PLACE, Mistake.EXCHANGED, Mistake.DEGREES, Mistake.UNIT}
MOST_PARTS = 20_000  # of formulas, or points of a plot: what is larger is not tried
MOST_TOKENS = 150  # of a formula that is changed token by token
MOST_NAMED = 4  # names that cannot be told apart and are all said


def told(question, p, samples, formula=None, search=None):
    """Return a sentence that is true of a wrong answer at all samples, or None.

    samples: pairs of where and the value there; formula: (shape, programs, points) of an answer that is one;
    search(): what one change of the student's own cell would put right.
    """
    search = search or (lambda: None)
    if _is_large(samples[0][1]) or (formula and sum(map(len, formula[1])) > MOST_PARTS):
        return search()
    if (
        not formula
        and samples[0][0] != ()
        and all(not isinstance(value, dict) and x in (0, 1) for _, value in samples for x in _numbers_of(value))
    ):
        return None  # yes or no: much would give it by chance
    if (formula or samples[0][0] == ()) and not any(x for _, value in samples for x in _numbers_of(value)):
        return "It is zero, and should not be: what has a part in it?"
    found = _changed_back(question, p, samples, formula) or search()
    if found or formula:
        return found or _edited(question, p, samples, *formula) or _vanishing(question, p, *formula)
    return (
        _part_changed_back(question, p, samples)
        or _parted(question, p, samples)
        or _wrong_at_least(question, p, samples)
        or None
    )


def _changed_back(question, p, samples, formula):
    """Words for the first change, of the answer, its place or the student's numbers, after which all laws hold, or None."""
    number = not formula and samples[0][0] == () and not isinstance(samples[0][1], dict)
    used: set[str] = set()
    _hold(question, [(Watched(p, used), *samples[0])])

    def hold(change, words):
        """Whether all laws hold where the student's numbers, the place or the answer are changed."""
        try:
            if not _hold(question, [change(p, *samples[0])]):
                return False
            q, where, found = change(p, *samples[0])
            if (
                number
                and any(flat(found)[1])
                and sort_of(words) not in PLAIN
                and _hold(question, [(q, where, scaled(found, 1 + s * COARSE)) for s in (1, -1)])
            ):
                return False  # a law that allows so much holds of many numbers by chance
            changed = [change(p, at, value) for at, value in samples]
            if not all(
                map(_has_numbers, (at for _, at, _ in changed))
            ):  # a law may let pass what it cannot compute with
                return False
            if number:  # not only by chance, within the tolerance
                off = SHARP * question.tolerance
                changed += [(q, at, scaled(value, 1 + s * off)) for q, at, value in changed for s in (1, -1)]
            return (
                _hold(question, changed)
                and _judges(question, changed[0])
                and not (number and _by_chance(question, changed[0]))
            )
        except NO_LAW:
            return False

    at, value = samples[0]
    kinds = [of_value(value), of_increment(question, at, value)]
    if not question.unseen:
        kinds.append(of_place(question, at, value))
    if question.judged == "reference":  # a design has bounds of which a number may be anything
        kinds.append(of_numbers(p, sorted(used), number))
        if not formula and not isinstance(value, dict):
            kinds.append(of_factors(p, sorted(used), value, number))
    for kind in kinds:
        for words, alike in itertools.groupby(kind, key=lambda one: one[0]):
            if sort_of(words) is Mistake.EXCHANGED and question.judged == "laws" and samples[0][0] == ():
                continue  # many designs are right
            if number and sort_of(words) is Mistake.ONE and all(x == round(x) for x in flat(value)[1]):
                continue  # a number that was rounded comes out so by chance, where numbers have a decimal or two
            names = [name for _, name, change in alike if hold(change, words)]
            if names:
                return _sentence(words, names)
    return None


def _judges(question, changed):
    """Whether the laws still refuse something there: with a negative length a law may let anything pass."""
    p, at, value = changed
    if isinstance(value, dict) and "curves" in value:
        return True
    spoil = lambda one: rebuilt(one, lambda x: [1.37 * a + 0.37 for a in x])
    return not _hold(
        question, [(p, at, {k: spoil(one) for k, one in value.items()} if isinstance(value, dict) else spoil(value))]
    )


def _by_chance(question, changed):
    """Whether a number of several is off the middle of what is allowed, which is wide for one that is small beside others."""
    p, at, value = changed
    n, off = len(flat(value)[1]), SHARP * question.tolerance * max(map(abs, flat(value)[1]))
    moved = lambda k, s: _hold(
        question, [(p, at, rebuilt(value, lambda x: [a + s * off * (i == k) for i, a in enumerate(x)]))]
    )
    return any(moved(k, 1) != moved(k, -1) for k in range(n)) if 1 < n <= MOST_ENTRIES else False


def _has_numbers(at):
    """Whether the numbers among arguments are finite."""
    return isinstance(at, dict) or all(callable(x) or isinstance(x, str) or np.isfinite(x).all() for x in at)


def _sentence(words, names):
    """One sentence for slips of one kind that cannot be told apart."""
    names = [name for name in dict.fromkeys(names) if not isinstance(name, Group)] or names[:1]
    text = words.format(" or ".join(names[:MOST_NAMED]))
    if getattr(words, "clause", False):
        text = f"It is what comes out {text}{'' if text.endswith(('?', '.')) else '.'}"
    return Said(text, mistake=sort_of(words))


def _hold(question, changed):
    """Whether all laws hold of (numbers, place, value), each of them finite."""
    try:
        with laws.wordless():
            return all(
                (isinstance(value, dict) or all(map(math.isfinite, flat(value)[1])))
                and all(law(p, at, value) is None for law in question.laws)
                for p, at, value in changed
            )
    except NO_LAW:
        return False


def is_vague(question, p, law, at, value, sentence):
    """Whether a law says the same of other wrong answers, beside places and rounding: then its words name no mistake."""
    if _is_large(value):
        return False
    told = set()
    for change in _spoiled(value):
        with contextlib.suppress(*NO_LAW):
            told.add(_bare(law(p, at, change(value)) or ""))
    law, slip = _bare(sentence)
    return (law, slip) in told and not (
        slip and (law, "") in told
    )  # what says more than others of a law names a mistake


def _numbers_of(value):
    return [x for one in value.values() for x in np.ravel(one)] if isinstance(value, dict) else flat(value)[1]


def _is_large(value):
    curves = value.get("curves", ()) if isinstance(value, dict) else ()
    return sum(len(curve["x"]["numbers"]) for curve in curves) > MOST_PARTS


def _spoiled(value):
    """Changes that nobody makes by mistake."""
    factors = (1.37, 0.61, -0.73)
    if isinstance(value, dict) and "curves" in value:
        off = lambda f: (
            lambda line: {**line, "y": {**line["y"], "numbers": [f * float(a) for a in line["y"]["numbers"]]}}
        )
        return [lambda plot, f=f: {**plot, "curves": [*map(off(f), plot["curves"])]} for f in factors]
    if isinstance(value, dict):
        return [lambda one, f=f, name=name: {**one, name: f * one[name]} for f in factors for name in value]
    whole = [lambda one, f=f: scaled(one, f) for f in factors]
    n = min(len(flat(value)[1]), MOST_ENTRIES)
    return whole + [
        lambda one, f=f, k=k: rebuilt(one, lambda x: [f * a + 0.37 if i == k else a for i, a in enumerate(x)])
        for f in factors
        for k in range(n)
    ]


def _bare(sentence):
    """The law that a sentence says, and the mistake, without the place."""
    words = said(sentence)
    return words.law, words.slip


def sort_of(words):
    """Of which sort the mistake is that words name."""
    return getattr(words, "mistake", Mistake.OTHER)


def _edited(question, p, samples, shape, programs, points):
    """Words for the one part of the formulas that is wrong, if there is one such part."""
    if sum(map(len, programs)) > MOST_TOKENS:
        return None
    found = [*itertools.islice(_one_part(question, p, shape, programs, points), 2)]
    if not found:
        return None
    (_, where), words = found[0], ", or ".join(words for words, _ in found)
    place = f" of {where}" if where else ""
    return f"One part{place} is wrong, the rest is right: {words}{'' if words.endswith('?') else '.'}"


def _one_part(question, p, shape, programs, points):
    """Yield what may be wrong with one part of the formulas, and in which entries, each words once."""
    names, told = question.names.split(), set()
    few = {name: Values(values[:1]) for name, values in points.items()}
    for i, program in enumerate(programs):
        alike = [k for k, other in enumerate(programs) if other == program]  # two that are the same may be wrong alike
        for places in ([i], alike) if alike[1:] and alike[0] == i else ([i],):
            for words, edited in edits(program, names):
                changed = [edited if k in places else one for k, one in enumerate(programs)]
                if words in told or not _hold(question, [(p, *one) for one in sampled(shape, changed, few, 1)]):
                    continue
                if _hold(question, [(p, *one) for one in sampled(shape, changed, points, 4)]):
                    told.add(words)
                    yield words, " and ".join(filter(None, (entry_name(shape, k) for k in places)))


def is_near(program, line, names, points):
    """Whether a formula is another one, or would be with one part of it changed."""
    expected, few = values_at([line], points)[0], {name: Values(values[:1]) for name, values in points.items()}
    same = lambda found, count: all(abs(a - b) <= 1e-9 * (1 + abs(b)) for a, b in zip(found[:count], expected))
    for _, edited in [("", program), *edits(program, names)]:
        with contextlib.suppress(*NO_LAW):
            if same(values_at([edited], few, 1)[0], 1) and same(values_at([edited], points)[0], None):
                return True
    return False


def _vanishing(question, p, shape, programs, points):
    """Words for the symbols without which the answer would be right: its mistake is in terms that hold all of them."""
    names = [name for name in question.names.split() if name in points]
    found = []
    for name in names:
        nothing = points | {name: Values([0j] * len(points[name]))}
        changed = [*sampled(shape, programs, nothing, 4)]
        if any(abs(x) > 1e-9 for x in flat(changed[0][1])[1]) and _hold(question, [(p, *one) for one in changed]):
            found.append(name)
    if not found:
        return None
    return _one_term(question, p, shape, programs, points, found) or (
        f"It is right where {' or '.join(found[:4])} is zero: look at the terms with {' and '.join(found[:4])}."
    )


def _one_term(question, p, shape, programs, points, names):
    """Words for the one term, a product of all these symbols and perhaps of a sine or cosine, that an answer lacks or has too much of."""
    rows, columns = (*shape, 1, 1)[:2]
    turned = lambda i: (i % columns) * rows + i // columns if rows == columns > 1 else i
    angles = [name for name in question.names.split() if re.fullmatch(r"q\d*", name)]
    waves = [[], *([("symbol", name), (wave, 1), ("*", 2)] for name in angles for wave in ("sin", "cos"))]
    waves += [[("symbol", a), ("symbol", b), ("+", 2), (wave, 1), ("*", 2)] for a, b in itertools.combinations(angles, 2) for wave in ("sin", "cos")]  # fmt: skip
    few = {name: Values(values[:1]) for name, values in points.items()}
    inner = [name for name in names if name not in angles]
    for powers, wave, number in itertools.product(
        itertools.product((1.0, 2.0), repeat=len(inner)), waves, (1.0, -1.0, 2.0, -2.0, 0.5, -0.5)
    ):
        term = [("number", number)]
        for name, power in zip(inner, powers):
            term += [("symbol", name), ("number", power), ("**", 2), ("*", 2)]
        for i in range(len(programs)):
            more = [
                [*program, *term, *wave, ("+", 2)] if k in (i, turned(i)) else program
                for k, program in enumerate(programs)
            ]
            if _hold(question, [(p, *one) for one in sampled(shape, more, few, 1)]) and _hold(
                question, [(p, *one) for one in sampled(shape, more, points, 4)]
            ):
                squared = [f"{name} squared" if power == 2 else name for name, power in zip(inner, powers)]
                held = [*squared, *(f"a {_WAVES[wave[-2][0]]}" for _ in wave[:1])]
                where = " and ".join(filter(None, dict.fromkeys(entry_name(shape, k) for k in (i, turned(i)))))
                return f"It is right but for one term{where and ' of '}{where}, with {' and '.join(held)}: it is missing, or has a wrong sign or factor."
    return None


_WAVES = {"sin": "sine", "cos": "cosine"}


def _nothing(question, samples, where):
    """Words for an answer that is zero where something should be left."""
    found = [value for at, value in samples if _is_zero(question, at, where) and not isinstance(value, dict)]
    return (
        "Nothing is left: a whole term is missing."
        if found and not np.any([np.any(value) for value in found]) and np.size(found[0]) > 1
        else None
    )


def _parted(question, p, samples):
    """Words for the arguments that are zero wherever a function is right."""
    at = samples[0][0]
    if at == () or len(samples) < 2:
        return None
    right = [_hold(question, [(p, *one)]) for one in samples]
    called = question.arguments.split() or [f"the {word} argument" for word in COUNTED]
    zeros = {}
    for k, argument in enumerate(at):
        if not callable(argument):
            zeros[called[k]] = [not np.any(at[k]) for at, _ in samples]
            for i in range(len(argument) if np.ndim(argument) == 1 else 0):
                zeros[f"{called[k]}[{i}]"] = [len(at[k]) > i and not at[k][i] for at, _ in samples]
    shapes = [[*map(np.shape, at)] for at, _ in samples]

    def tells(where):
        """Whether the function is right there and nowhere else, among arguments of the same sizes."""
        alike = [k for k, shape in enumerate(shapes) if any(shape == one for one, so in zip(shapes, where) if so)]
        return bool(alike) and all(where[k] == right[k] for k in alike) and not all(where[k] for k in alike)

    if any(right):
        for name, where in zeros.items():
            if tells(where):
                return f"It is right where {name} is zero, as far as it was tried: look at what goes with {name}."
        for (a, one), (b, other) in itertools.combinations(zeros.items(), 2):
            entries = a.partition("[")[0] == b.partition("[")[0]
            if entries and "[" in a and tells([x or y for x, y in zip(one, other)]):
                return f"It is right where {a} or {b} is zero, as far as it was tried: look at what goes with both."
            if not entries and tells([x and y for x, y in zip(one, other)]):
                return f"It is right where both {a} and {b} are zero, and nowhere else, as far as it was tried."
    return None


def _part_changed_back(question, p, samples):
    """Words for what goes with an argument, or with two entries of one, where all is right without, and what is wrong with it."""
    for name, parts in _parts(question, p, samples).items():
        if all(np.max(np.abs(part)) <= 1e-9 * (np.max(np.abs(less)) + 1) for _, less, part in parts):
            return f"Nothing in it goes with {name}: a term is missing."
        for words, change in _of_part(parts[0][2]):
            if all(_hold(question, [(p, at, less + rebuilt(part, change))]) for at, less, part in parts):
                return (
                    f"It is right but for what goes with {name}, as far as it was tried: {words[0].lower()}{words[1:]}"
                )
    return None


def _parts(question, p, samples):
    """{name: [(arguments, value without, what they add)]}, where a function is right without and wrong with them."""
    found: dict[str, list] = {}
    if samples[0][0] == () or isinstance(samples[0][0], dict) or isinstance(samples[0][1], dict):
        return found
    right = [one for one in samples if _hold(question, [(p, *one)])]
    wrong = [one for one in samples if not _hold(question, [(p, *one)])]
    goes: dict[str, tuple[int, tuple[int, ...], bool]] = {}  # the argument, its entries, and whether each must be there
    for at, value in wrong:
        for k, argument in enumerate(at):
            if callable(argument) or isinstance(argument, str):
                continue
            kin = {}  # entries that are zero instead: the value there
            for other, less in right:
                alike = [*map(np.shape, other)] == [*map(np.shape, at)]
                if alike and all(i == k or np.array_equal(a, b) for i, (a, b) in enumerate(zip(at, other))):
                    zeros = np.flatnonzero(np.ravel(other[k]) != np.ravel(argument))
                    if zeros.size and not np.ravel(other[k])[zeros].any():
                        kin[tuple(zeros)] = less
            if not kin:
                continue
            one = [zeros for zeros in kin if len(zeros) == 1]
            both, few = (*itertools.chain(*sorted(one)),), min(kin, key=len)
            called = question.arguments.split()[k] if question.arguments else f"the {COUNTED[k]} argument"
            named = [f"{called}[{i}]" for i in (both if both in kin else few)]
            if len(both) == 2 and both in kin:
                less, name = kin[one[0]] + kin[one[1]] - kin[both], f"both {' and '.join(named)}"
            else:
                less, name = kin[few], named[0] if len(few) == 1 < np.size(argument) else called
            found.setdefault(name, []).append((at, less, value - less))
            goes[name] = (k, both if len(both) == 2 and both in kin else few, len(both) == 2 and both in kin)
    return {name: parts for name, parts in found.items() if all(_present(at, *goes[name]) for at, _ in wrong)}


def _present(at, k, entries, each):
    """Whether entries of an argument are not zero: one of them, or each; where they are zero, they are not what is wrong."""
    value = np.ravel(at[k])
    there = [bool(value[i]) for i in entries if i < value.size]
    return not there or (all(there) if each else any(there))


def _of_part(part):
    """Pairs of words and change of the list of entries, for a part of an answer."""
    shape, n = np.shape(part), np.size(part)
    yield "It should not be there.", lambda x: [0.0] * n
    for k in range(n if 1 < n <= MOST_ENTRIES else 0):
        yield (
            f"{entry_name(shape, k).capitalize()} should have none of it.",
            lambda x, k=k: [a * (i != k) for i, a in enumerate(x)],
        )
    yield from itertools.islice(of_entries(shape, n), None if n > 1 else len(FACTORS))


def _wrong_already(question, p, samples):
    """The names of the arguments, as many as may be, that are zero where a function is wrong."""
    if samples[0][0] == () or isinstance(samples[0][0], dict):
        return []
    wrong = [at for at, value in samples if not _hold(question, [(p, at, value)])]
    still = [[name for name in _called(question, at) if _is_zero(question, at, [name])] for at in wrong]
    return max(still, key=len, default=[])


def _called(question, at):
    """{name: argument} of all that are no functions."""
    called = question.arguments.split() or [f"the {word} argument" for word in COUNTED]
    return {called[k]: argument for k, argument in enumerate(at) if not callable(argument)}


def _is_zero(question, at, names):
    """Whether arguments are zero."""
    arguments = _called(question, at)
    return not any(np.any(arguments[name]) for name in names)


def _wrong_at_least(question, p, samples):
    """Words for the arguments that are zero where a function is wrong, and for what is wrong with it there."""
    where = _wrong_already(question, p, samples)
    if not where:
        return None
    there = [sample for sample in samples if _is_zero(question, sample[0], where)]
    inside = _nothing(question, samples, where) or _changed_back(question, p, there, None)
    words = f"It is wrong already where {' and '.join(where)} {'are' if len(where) > 1 else 'is'} zero"
    if inside:
        return Said(f"{words}. There: {inside[0].lower()}{inside[1:]}", mistake=sort_of(inside))
    return f"{words}: look at what is left there."
