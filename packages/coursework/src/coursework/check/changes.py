"""What a slip changes, and the words for it: tables, and pairs of words and the change that takes the slip back.

Changes of an answer, of its place, of a student's numbers, and of the parts of a formula; slips.py asks which of them makes
the laws hold.
"""

import itertools
import math
import re

from coursework.check.agreement import entry_name
from coursework.check.data import flat, nested
from coursework.check.diagnosis import Mistake, Said
from coursework.check.laws import powered
from coursework.lazy_numpy import np

COUNTS = 20  # whole numbers below count, or say which: nobody takes their opposite or their half
MOST_ENTRIES = 12  # of an answer, or of a list of numbers, whose entries are tried one by one
# where: teach the checks a mistake that they find by themselves
# a line here or in `UNITS`, `OF_ONE`, `CHANGED`, `ANGLES`, `OF_ARGUMENTS`, a row in `FORMULAS` of
# `packages/coursework/tests/test_check_slips.py`; parts of one question's expected number: `laws.of_parts`; what may
# be wrong with code: a rule of `coursework.check.rewrites`
FACTORS = {
    -1.0: Said("{} has the opposite sign.", mistake=Mistake.SIGN),
    2.0: Said("{} is twice as large.", mistake=Mistake.FACTOR),
    0.5: Said("{} is half as large.", mistake=Mistake.FACTOR),
}  # factor of what is wrong, {}: words
OF_TWO = {
    -1.0: Said("{} have the opposite sign.", mistake=Mistake.SIGN),
    2.0: Said("{} are twice as large.", mistake=Mistake.FACTOR),
    0.5: Said("{} are half as large.", mistake=Mistake.FACTOR),
}  # the same of several
UNITS = {
    1000.0: Said("{} is 1000 times as large: look at the units.", mistake=Mistake.UNIT),
    1e-3: Said("{} is 1000 times too small: look at the units.", mistake=Mistake.UNIT),
    1e6: Said("{} is 10^6 times as large: look at the units.", mistake=Mistake.UNIT),
    math.tau: Said("{} is 2 pi times as large: turns or radians?"),
    1 / math.tau: Said("{} is 2 pi times too small: turns or radians?"),
    math.tau**2: Said("{} is (2 pi)^2 times as large: turns or radians?"),
    math.tau**-2: Said("{} is (2 pi)^2 times too small: turns or radians?"),
    math.pi: Said("{} is pi times as large: turns or radians?"),
    1 / math.pi: Said("{} is pi times too small: turns or radians?"),
    180 / math.pi: Said("{} is 180 / pi times as large: degrees or radians?", mistake=Mistake.DEGREES),
    math.pi / 180: Said("{} is 180 / pi times too small: degrees or radians?", mistake=Mistake.DEGREES),
    60 / math.tau: Said("{} is 60 / (2 pi) times as large: turns a minute, or rad/s?"),
    9.81: Said("{} is g times as large."),
    1 / 9.81: Said("{} is g times too small: is g missing?"),
    10 / 9.81: Said("{} is that of g = 10, and g is 9.81 m/s^2 here."),
    9.8 / 9.81: Said("{} is that of g = 9.8, and g is 9.81 m/s^2 here."),
    math.sqrt(2): Said("{} is as large as with a factor 2 too many under a root."),
    math.sqrt(0.5): Said("{} is as large as with a factor 2 too few under a root."),
    math.sqrt(9.81): Said("{} is larger by the root of g."),
    math.sqrt(1 / 9.81): Said("{} is smaller by the root of g: is g missing under a root?"),
    4.0: Said("{} is four times as large."),
    0.25: Said("{} is a quarter."),
}  # factor of a wrong answer, {}: words
TRANSPOSED = Said("{} is transposed.", mistake=Mistake.TRANSPOSED)
EXCHANGED = Said("{} are exchanged.", mistake=Mistake.EXCHANGED)

OF_ONE = {
    Said("{} is the inverse."): lambda x: powered(x, -1),
    Said("{} is the square."): lambda x: powered(x, 0.5),
    Said("{} is the root."): lambda x: powered(x, 2),
    Said("A period stands for a rate in rad/s, or the other way around."): lambda x: math.tau / x,
    Said("Half a period stands for a rate in rad/s, or the other way around."): lambda x: math.pi / x,
    Said("{} is the root of the inverse."): lambda x: powered(x, -2),
    Said("{} is the square of the inverse."): lambda x: powered(x, -0.5),
    Said("{} is one too few."): lambda x: x + 1,
    Said("{} is one too many."): lambda x: x - 1,
    Said("{} is off by a quarter of a turn: from which axis does it count?"): lambda x: x - math.pi / 2,
    Said("{} is off by a quarter of a turn, backward: from which axis does it count?"): lambda x: x + math.pi / 2,
    Said("{} is the other acute angle of a right triangle: sine or cosine?"): lambda x: math.pi / 2 - x,
    Said("{} is what is left to half a turn."): lambda x: math.pi - x,
}  # words: what a number should have been
CHANGED = {
    Said("without {0}: is a term with it missing?", clause=True): (lambda x: 0.0,),
    Said("with the opposite sign of {0}", clause=True, mistake=Mistake.SIGN): (lambda x: -x,),
    Said("with a factor 2 or 1/2, or a root of it, too many or too few at {0}", clause=True, mistake=Mistake.FACTOR): (
        lambda x: 2 * x,
        lambda x: x / 2,
        lambda x: x / math.sqrt(2),
        lambda x: x * math.sqrt(2),
    ),
    Said("without the factor {0}, as if it was 1", clause=True, mistake=Mistake.ONE): (lambda x: 1.0,),
    Said("with another power of {0}: squared, under a root, above or below the line?", clause=True): (
        lambda x: x * x,
        math.sqrt,
        lambda x: 1 / x,
    ),
}  # what comes out so, where something else stands for a number, a symbol, an argument {0}
ANGLES = {
    Said("with {0} off by a quarter of a turn: sine or cosine, or from which axis does it count?", clause=True): (
        lambda x: x - math.pi / 2,
        lambda x: x + math.pi / 2,
    ),
    Said(
        "with sine and cosine of {0} exchanged: from which axis does it count?", clause=True, mistake=Mistake.EXCHANGED
    ): (lambda x: math.pi / 2 - x,),
    Said("with 1 for the sine of {0}, or 0 for its cosine: is a factor missing, or a term?", clause=True): (
        lambda x: math.pi / 2,
    ),
    Said("with {0} off by half a turn, as with the opposite sign of a weight", clause=True, mistake=Mistake.SIGN): (
        lambda x: x + math.pi,
    ),
    Said("with {0} turned from degrees into radians once too often", clause=True, mistake=Mistake.DEGREES): (
        math.radians,
    ),
    Said("with the number of degrees of {0} where radians belong", clause=True, mistake=Mistake.DEGREES): (
        math.degrees,
    ),
}
ARE_EXCHANGED = Said("with {0} exchanged", clause=True, mistake=Mistake.EXCHANGED)
IN_PLACE = Said("with {0}", clause=True)  # one "in place of" another
COUNTED = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


class Group(str):
    """A name for several, told where none for one of them is."""


class Watched:
    """Numbers of a student, and which of them a law has asked for."""

    def __init__(self, p, used):
        self._p, self._used = p, used

    def __getattr__(self, name):
        self._used.add(name)
        return getattr(self._p, name)


def _with(p, name, value):
    """The numbers of a student, one of them changed."""
    copy = Watched(p, set())
    vars(copy)[name] = value
    return copy


# What the answer should have been


def of_value(value):
    """Pairs of words and change, for slips that change all of an answer, or entries of it."""
    if isinstance(value, dict):
        yield from _of_curves(value) if "curves" in value else _of_items(value)
        return
    shape, entries = flat(value)
    for words, change in of_entries(tuple(shape), len(entries)):
        yield words, "", lambda p, at, value, change=change: (p, at, rebuilt(value, change))


def of_increment(question, at, value):
    """The same for what an answer adds to an argument, as a step to a state, and for factors that stand among the arguments."""
    called = question.arguments.split()
    if not called or isinstance(at, dict) or isinstance(value, dict):
        return
    numbers = [k for k, x in enumerate(at) if not callable(x) and np.ndim(x) == 0 and not isinstance(x, (str, int))]
    bases = {
        called[k]: [k] for k, x in enumerate(at) if not callable(x) and np.ndim(x) and np.shape(x) == np.shape(value)
    }
    n = np.size(value)
    if np.ndim(value) == 1 and numbers[:n] == [*range(n)]:
        added = [called[k] for k in range(n) if value[k] != at[k]]  # of what adds nothing, nothing is said
        bases[" and ".join(added)] = [*range(n)]
    factors = {words: lambda at, f=f: f for f, words in FACTORS.items()} | {
        Said(f"{{}} {word} a factor {called[k]}."): lambda at, k=k, power=power: at[k] ** power
        for k in numbers
        for power, word in ((-1, "lacks"), (1, "has, too many,"))
    }
    for name in _whole_and_entries(value):
        for words, factor in factors.items() if numbers[:n] != [*range(n)] else ():
            yield (
                words.about(name),
                "",
                lambda p, at, value, name=name, factor=factor: _scaling(name, value, 1 / factor(at))(p, at, value),
            )
    for name, places in bases.items():
        for words, factor in factors.items():
            base = lambda at, places=places: at[places[0]] if len(places) == 1 else np.array([at[k] for k in places])
            yield (
                words.about(f"What it adds to {name}"),
                "",
                lambda p, at, value, base=base, factor=factor: (p, at, base(at) + (value - base(at)) / factor(at)),
            )


def rebuilt(value, change):
    shape, entries = flat(value)
    changed = change([float(x) for x in entries])
    return np.array(changed).reshape(shape) if hasattr(value, "reshape") else nested(changed, shape)


def scaled(value, factor):
    return rebuilt(value, lambda entries: [factor * x for x in entries])


def of_entries(shape, n, whole="It"):
    """Pairs of words and what turns the list of entries, row by row, into what it should have been; whole: a name for all."""
    for factor, words in (FACTORS | UNITS).items():
        yield words.about(whole), lambda x, factor=factor: [a / factor for a in x]
    if n == 1:
        for words, change in OF_ONE.items():
            yield words.about(whole), lambda x, change=change: [change(x[0])]
        return
    if len(shape) == 1:
        yield Said("The entries are in the other order.", mistake=Mistake.ORDER), lambda x: x[::-1]
        yield (
            "Each entry would be right less the one before it: does that count twice?",
            lambda x: [a - b for a, b in zip(x, [0.0, *x])],
        )
        yield (
            "Each entry would be right with those before it added: are they missing, or subtracted?",
            lambda x: [*itertools.accumulate(x)],
        )
        yield (
            "Each entry would be right less the one after it: does that count twice?",
            lambda x: [a - b for a, b in zip(x, [*x[1:], 0.0])],
        )
        yield (
            "Each entry would be right with those after it added: are they missing, or subtracted?",
            lambda x: [*itertools.accumulate(x[::-1])][::-1],
        )
        shifted = Said("{} is as if each entry was in the next one's place.", mistake=Mistake.PLACE)
        yield shifted.about(whole), lambda x: [*x[1:], x[0]]
        shifted = Said("{} is as if each entry was in the place of the one before.", mistake=Mistake.PLACE)
        yield shifted.about(whole), lambda x: [x[-1], *x[:-1]]
    if len(shape) == 2:
        rows, columns = shape
        grid = lambda x: [x[i * columns : (i + 1) * columns] for i in range(rows)]
        flatten = lambda x: [a for row in x for a in row]
        if rows == columns:
            yield TRANSPOSED.about(whole), lambda x: flatten(zip(*grid(x)))
            for factor, words in {**FACTORS, 1 / 9.81: UNITS[1 / 9.81]}.items():
                beside = lambda x, f=factor: [a if k % (columns + 1) == 0 else a / f for k, a in enumerate(x)]
                yield words.about("What stands off the diagonal"), beside
            yield (
                "One entry of two that should be equal is right, that above the diagonal.",
                lambda x: flatten([[grid(x)[min(i, j)][max(i, j)] for j in range(columns)] for i in range(rows)]),
            )
            yield (
                "One entry of two that should be equal is right, that below the diagonal.",
                lambda x: flatten([[grid(x)[max(i, j)][min(i, j)] for j in range(columns)] for i in range(rows)]),
            )
        yield Said("The rows are in the other order.", mistake=Mistake.ORDER), lambda x: flatten(grid(x)[::-1])
        turned = Said("The columns are in the other order.", mistake=Mistake.ORDER)
        yield turned, lambda x: flatten(row[::-1] for row in grid(x))
        for i in range(min(rows, MOST_ENTRIES)):
            for factor, words in FACTORS.items():
                yield (
                    words.about(f"Row {i + 1}"),
                    lambda x, i=i, f=factor: [a / f if k // columns == i else a for k, a in enumerate(x)],
                )
        for i in range(min(columns, MOST_ENTRIES)):
            for factor, words in FACTORS.items():
                yield (
                    words.about(f"Column {i + 1}"),
                    lambda x, i=i, f=factor: [a / f if k % columns == i else a for k, a in enumerate(x)],
                )
        for name, size in (("Rows", rows), ("Columns", columns)):
            for i, j in itertools.combinations(range(min(size, MOST_ENTRIES)), 2):
                yield (
                    EXCHANGED.about(f"{name} {i + 1} and {j + 1}"),
                    lambda x, i=i, j=j, name=name: flatten(
                        _exchanged(grid(x), i, j) if name == "Rows" else [_exchanged(row, i, j) for row in grid(x)]
                    ),
                )
    if n <= MOST_ENTRIES:
        for k in range(n):
            for factor, words in FACTORS.items() | UNITS.items():
                yield (
                    words.about(entry_name(shape, k).capitalize()),
                    lambda x, k=k, f=factor: [a / f if i == k else a for i, a in enumerate(x)],
                )
        for i, j in itertools.combinations(range(n), 2):
            names = f"{entry_name(shape, i).capitalize()} and {entry_name(shape, j)}"
            yield EXCHANGED.about(names), lambda x, i=i, j=j: _exchanged(x, i, j)
            if n > 2:
                for factor, words in OF_TWO.items():
                    yield (
                        words.about(names),
                        lambda x, i=i, j=j, f=factor: [a / f if k in (i, j) else a for k, a in enumerate(x)],
                    )


def _exchanged(x, i, j):
    x = list(x)
    x[i], x[j] = x[j], x[i]
    return x


def _of_items(value):
    for name, part in value.items():
        for words, change in of_entries(np.shape(part), np.size(part), f"The entry {name}"):
            yield (
                words,
                "",
                lambda p, at, value, name=name, change=change: (p, at, {**value, name: rebuilt(value[name], change)}),
            )


def _of_curves(plot):
    for turn, words in {
        math.pi / 2: "is off by a quarter of a turn",
        -math.pi / 2: "is off by a quarter of a turn, backward",
        math.pi: "is off by half a turn",
    }.items():
        yield (
            f"The height of the line {words}: from where does it count?",
            "",
            lambda p, at, plot, turn=turn: (p, at, _drawn(plot, "y", lambda a: a - turn)),
        )
    for factor, words in (FACTORS | UNITS).items():
        for axis, name in (("y", "The height of the line"), ("x", "What stands at the x axis")):
            yield (
                words.about(name),
                "",
                lambda p, at, plot, axis=axis, f=factor: (p, at, _drawn(plot, axis, lambda a: a / f)),
            )


def _drawn(plot, axis, change):
    """The plot, with what stands at one of its axes changed."""
    lines = [
        {**line, axis: {**line[axis], "numbers": [change(float(a)) for a in line[axis]["numbers"]]}}
        for line in plot["curves"]
    ]
    return {**plot, "curves": lines}


# Where the answer would have been right


def of_place(question, at, value):
    """The same for what stands for symbols of a formula, or for arguments of a function: words, names, change."""
    if isinstance(at, dict):
        for number in (9.81, 10.0) if "g" in at else ():
            yield (
                Said("with the number {0} in place of the symbol g.", clause=True),
                f"{number:g}",
                lambda p, at, value, g=number: (p, {**at, "g": g}, value),
            )
        for words, name, change in _of_names([name for name in question.names.split() if name in at]):
            yield words, name, lambda p, at, value, change=change: (p, change(at), value)
        return
    called = question.arguments.split() or [f"the {word} argument" for word in COUNTED]
    plain = [k for k, argument in enumerate(at) if not callable(argument) and not isinstance(argument, str)]
    for words in CHANGED | ANGLES | OF_ARGUMENTS:
        for k in plain:
            for name, change in _of_argument(called[k], at[k], words):
                yield words, name, lambda p, at, value, k=k, change=change: (p, _put(at, k, change(at[k])), value)
    for sign, words in {1: "It is as if {0} was subtracted, or not added.", -1: "It is as if {0} was added."}.items():
        for k in plain:
            if not isinstance(value, dict) and np.shape(at[k]) == np.shape(value):
                yield words, called[k], lambda p, at, value, k=k, sign=sign: (p, at, value + sign * at[k])
    for i, j in itertools.permutations(plain, 2):
        if np.shape(at[i]) == np.shape(at[j]) and i < j:
            yield (
                ARE_EXCHANGED,
                Group(f"{called[i]} and {called[j]}"),
                lambda p, at, value, i=i, j=j: (p, tuple(_exchanged(at, i, j)), value),
            )
    for i, j in itertools.permutations(plain, 2):
        if np.shape(at[i]) == np.shape(at[j]):
            yield (
                IN_PLACE,
                f"{called[j]} in place of {called[i]}",
                lambda p, at, value, i=i, j=j: (p, _put(at, i, at[j]), value),
            )


def _put(at, k, argument):
    return (*at[:k], argument, *at[k + 1 :])


OF_ARGUMENTS = {
    Said("with {0} in the other order", clause=True, mistake=Mistake.ORDER): (lambda x: x[::-1],),
    Said("with sums for {0}: relative or absolute?", clause=True): (lambda x: np.cumsum(x),),
    Said("with differences for {0}: relative or absolute?", clause=True): (lambda x: np.diff(x, prepend=0.0),),
    Said("with {0} transposed", clause=True, mistake=Mistake.TRANSPOSED): (lambda x: x.T,),
    Said("without {0}, as if it was the identity", clause=True, mistake=Mistake.IDENTITY): (lambda x: np.eye(len(x)),),
}

OF_MATRICES = {Mistake.TRANSPOSED, Mistake.IDENTITY}


def _of_argument(name, argument, words):
    """Pairs of name and change, for an argument and for its entries."""
    axes = np.ndim(argument)
    for change in (CHANGED | ANGLES | OF_ARGUMENTS)[words]:
        if words in OF_ARGUMENTS:
            if axes == (2 if words.mistake in OF_MATRICES else 1) and len(set(np.shape(argument))) == 1:
                yield name, change
        elif axes < 2 or words in CHANGED:
            yield name, lambda x, change=change: np.vectorize(change, otypes=[float])(x) if np.ndim(x) else change(x)
            for k in range(len(argument) if axes == 1 and 1 < len(argument) <= MOST_ENTRIES else 0):
                yield (
                    f"{name}[{k}]",
                    lambda x, k=k, change=change: np.array([change(a) if i == k else a for i, a in enumerate(x)]),
                )


def _group(names):
    """One name for several: q1 and q2, p.masses."""
    if len(names) == 1:
        return names[0]
    return Group(" and ".join(names) if "[" not in names[0] else f"all of {names[0].rpartition('[')[0]}")


def _of_names(names):
    """Words, names, and a change of a dict of numbers by name: symbols of a formula, or numbers of a student."""
    stems: dict[str, list[str]] = {}
    for name in names:
        stems.setdefault(re.sub(r"\d+\]?$", "", name), []).append(name)
    groups = [group for group in stems.values() if len(group) > 1]
    for words, changes in (CHANGED | ANGLES).items():
        for some, change in itertools.product([*([name] for name in names), *groups], changes):
            yield (
                words,
                _group(some),
                lambda x, some=some, change=change: {**x, **{one: change(x[one]) for one in some}},
            )
    for a, b in itertools.combinations(names, 2):
        yield ARE_EXCHANGED, Group(f"{a} and {b}"), lambda x, a=a, b=b: {**x, a: x[b], b: x[a]}
    for a, b in itertools.permutations(names, 2):
        yield IN_PLACE, f"{b} in place of {a}", lambda x, a=a, b=b: {**x, a: x[b]}
    for one, other in itertools.permutations(groups, 2):
        if len(one) == len(other):
            yield (
                IN_PLACE,
                Group(f"{_group(other)} in place of {_group(one)}"),
                lambda x, one=one, other=other: {**x, **{a: x[b] for a, b in zip(one, other)}},
            )
    for group in groups:
        angle = ": relative or absolute?" if re.match(r"(p\.)?q", group[0]) else ""
        for a, b in itertools.permutations(group, 2):
            yield (
                Said(f"with {{0}}{angle}", clause=True),
                f"{a} + {b} in place of {b}",
                lambda x, a=a, b=b: {**x, b: x[a] + x[b]},
            )
            yield (
                Said("with {0}: relative or absolute?", clause=True) if angle else Said("It is as if {0}."),
                f"{b} less {a} in place of {b}" if angle else f"{b} stood alone where {b} + {a} belongs",
                lambda x, a=a, b=b: {**x, b: x[b] - x[a]},
            )
    for moment, mass, reach in (("I{}", "m{}", "lc{}"), ("p.inertias[{}]", "p.masses[{}]", "p.coms[{}]")):
        bodies = [[part.format(i) for part in (moment, mass, reach)] for i in range(4)]
        bodies = [body for body in bodies if set(body) <= set(names)]
        for sign, about in {1: "about the joints", -1: "less m c^2 too often"}.items():
            if bodies:
                yield (
                    Said("with moments of inertia {0}", clause=True),
                    about,
                    lambda x, bodies=bodies, sign=sign: {
                        **x,
                        **{I: x[I] + sign * x[m] * x[c] ** 2 for I, m, c in bodies},
                    },
                )


def of_numbers(p, used, number):
    """The same for what stands for a number of the student's: those alone that a law asks for."""
    fields = {}
    for name in used:
        leaves = dict(_leaves(f"p.{name}", getattr(p, name)))
        if leaves:
            fields[name] = leaves
    numbers = {label: number for leaves in fields.values() for label, number in leaves.items()}
    if not numbers:
        return

    def other(p, change):
        changed, copy = change(numbers), p
        for name, leaves in fields.items():
            if any(changed[label] != numbers[label] for label in leaves):
                copy = _with(copy, name, _grown(f"p.{name}", getattr(p, name), changed))
        return copy

    for words, name, change in _of_names([*numbers]):
        yield words, name, lambda p, at, value, change=change: (other(p, change), at, value)
    unasked = {f"p.{name}": size for name, size in vars(p).items() if type(size) is float and name not in fields}
    for label, (name, size) in () if number else itertools.product(numbers, unasked.items()):  # numbers meet by chance
        yield (
            IN_PLACE,
            f"{name} in place of {label}",
            lambda p, at, value, label=label, size=size: (other(p, lambda x: {**x, label: size}), at, value),
        )


def of_factors(p, used, value, number):
    """The same for factors that an answer, or an entry, has or lacks: numbers of the student's, fractions, and roots of a number."""
    for name in sorted(vars(p)) if number else used:
        for label, size in _leaves(f"p.{name}", getattr(p, name)) if name[0] != "_" else ():
            for words, power in itertools.product(_whole_and_entries(value), (1, -1, 0.5, -0.5) if number else (1, -1)):
                if size > 0:
                    said = "a factor {0}, or a root of it," if number else "a factor {0}"
                    yield (
                        f"{words} is as if there was {said} too many or too few.",
                        label,
                        _scaling(words, value, size**power),
                    )
    for size in (3.0, 1.5, 12.0, 4 / 3):
        for words, power in itertools.product(_whole_and_entries(value), (1, -1, 0.5, -0.5) if number else (1, -1)):
            yield (
                f"{words} is off by a factor {{0}}{', or its root' if number else ''}.",
                f"{size:.3g}",
                _scaling(words, value, size**power),
            )


def _whole_and_entries(value):
    """Names of an answer and of its entries, as they begin a sentence."""
    shape, entries = flat(value)
    named = [entry_name(shape, k).capitalize() for k in range(len(entries))] if 1 < len(entries) <= MOST_ENTRIES else []
    return ["It", *named]


def _scaling(words, value, factor):
    """What multiplies the answer by a factor, or the entry of that name."""
    names = _whole_and_entries(value)

    def change(p, at, value):
        one = names.index(words) - 1
        if one < 0:
            return p, at, scaled(value, factor)
        return p, at, rebuilt(value, lambda x: [factor * a if k == one else a for k, a in enumerate(x)])

    return change


def _leaves(label, value):
    """Pairs of label and number, for a number or nested tuples of them."""
    if isinstance(value, (tuple, list)):
        for k, part in enumerate(value):
            yield from _leaves(f"{label}[{k}]", part)
    elif isinstance(value, float) or (type(value) is int and value >= COUNTS):
        yield label, value


def _grown(label, value, changed):
    """The same numbers, or nested tuples, with the changed ones in their places."""
    if isinstance(value, (tuple, list)):
        return type(value)(_grown(f"{label}[{k}]", part, changed) for k, part in enumerate(value))
    return changed.get(label, value)


# What in a formula should have been otherwise

SIGNS = {"+": "-", "-": "+"}
WAVES = {"sin": "cos", "cos": "sin"}


def _wave(name):
    return {"sin": "sine", "cos": "cosine"}[name]


def edits(program, names):
    """Pairs of words and program: each part of a formula changed, and no other."""
    for k, (operation, value) in enumerate(program):
        around = lambda *parts, k=k: [*program[:k], *parts, *program[k + 1 :]]
        if operation in SIGNS:
            yield "a sign is wrong", around((SIGNS[operation], value))
        elif operation in WAVES:
            yield f"a {_wave(operation)} is the wrong one of the two", around((WAVES[operation], value))
        elif operation == "symbol":
            for name in names:
                if name != value:
                    yield f"one {value} should be something else", around(("symbol", name))
            yield f"there is one {value} too many", around(("number", 1.0))
            yield f"a term with {value} is too many", around(("number", 0.0))
        elif operation == "number":
            for number in (1.0, 2.0, 3.0, 0.5, 0.0):
                if number != value:
                    yield "a number, or a power, is wrong", around(("number", number))
            continue
        one = program[k]
        yield "a factor 2 is missing at a term", around(one, ("number", 2.0), ("*", 2))
        yield "a factor 2 is too many at a term, or a factor 1/2 is missing", around(one, ("number", 0.5), ("*", 2))
        yield "a sign is wrong", around(one, ("neg", 1))
        yield "something should be squared", around(one, ("number", 2.0), ("**", 2))
        for name in names:
            yield "a factor is missing at a term", around(one, ("symbol", name), ("*", 2))
            for wave in WAVES if re.fullmatch(r"q\d*", name) else ():
                yield f"a {_wave(wave)} is missing at a term", around(one, ("symbol", name), (wave, 1), ("*", 2))
            for sign in "+-":
                yield "something is missing in a sum", around(one, ("symbol", name), (sign, 2))
