"""An arm whose free parameters are recorded scalars and whose other entries are numbers, ready for the generic texts."""

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np

from robotdyn.codegen.recording import FUNCTIONS, function
from robotdyn.maths.namespace import each
from robotdyn.maths.validate import is_symbolic

OF_LINKS = {"mass": (), "com": (3,), "inertia": (3, 3), "position": (3,), "pitch": ()}
OF_ARMS = {"gravity": (3,), "tip": (3,)}
FIXED = ("axis", "rotation")  # directions: their entries are not independent, so they never stay free


@dataclass(frozen=True, eq=False)
class Input:
    """An argument of a program: its name and shape, and for a parameter that stayed free the value it has in the arm.

    A symbol of the arm has no value of its own: it must be given at every call.
    """

    name: str
    shape: tuple
    free: bool = False
    value: np.ndarray | None = None

    @property
    def size(self):
        """The number of entries."""
        return int(np.prod(self.shape, dtype=int))

    @property
    def labels(self):
        """The names of the entries: q1, q2; com1_1, com1_2; l_1."""
        return [self.name + entry_label(self.shape, k) for k in range(self.size)]


def entry_label(shape, k):
    """Return "2" for entry 1 of a vector, "2_3" for entry (1, 2) of a matrix, nothing for a scalar."""
    label = []
    for size in reversed(shape):
        k, index = divmod(k, size)
        label.insert(0, str(index + 1))
    return "_".join(label)


def parametric(arm, free, record):
    """Return the arm with `free` names recorded, and an Input for each of them.

    free: names of fields (mass, com, inertia, position, pitch of all links; gravity, tip) or of symbols of the arm.
    record(input): returns the array of recorded scalars of an Input.
    """
    free = names_of(free)
    symbols = _symbols(arm)
    _check_names(free, symbols)
    inputs = [_input(arm, name) for name in free]
    values = {i.name: record(i) for i in inputs}
    known = {symbol: values[name][()] for name, symbol in symbols.items()}

    def entries(owner, name):
        array = np.asarray(getattr(owner, name), dtype=object)
        return _tidied(each(array, lambda x: written_out(x, known)))

    links = []
    for i, link in enumerate(arm.links):
        parts = {name: values[name][i] if name in values else entries(link, name) for name in OF_LINKS}
        links.append(SimpleNamespace(joint=link.joint, **parts, **{name: entries(link, name) for name in FIXED}))
    parts = {name: values[name] if name in values else entries(arm, name) for name in OF_ARMS}
    return SimpleNamespace(links=links, n=len(links), dtype=np.dtype(object), **parts), inputs


def names_of(free):
    """Return the names that stay free in a tuple: from a name, a symbol, several of them, or None."""
    one = isinstance(free, str) or (is_symbolic(free) and not hasattr(free, "__iter__"))
    return tuple(str(name) for name in ([free] if one else free or ()))


def written_out(x, known):
    """Return a SymPy expression (or a number) as recorded scalars; known: {symbol: scalar}, which grows."""
    if not is_symbolic(x):
        return float(x)
    if x in known:
        return known[x]
    if x.is_number:
        value = float(x)
    elif x.is_Add:
        value = sum(written_out(part, known) for part in x.args)
    elif x.is_Mul:
        value = 1
        for part in x.args:
            value = value * written_out(part, known)
    elif x.is_Pow and (2 * x.exp).is_Integer:
        value = written_out(x.base, known) ** (int(x.exp) if x.exp.is_Integer else float(x.exp))
    elif x.is_Symbol:
        raise ValueError(f"symbols of one arm must have different names, got two called {x}: rename one")
    elif type(x).__name__ in FUNCTIONS:
        value = function(type(x).__name__, written_out(x.args[0], known))
    else:
        told = f"+, -, *, /, whole and half powers, {', '.join(FUNCTIONS)}"
        raise TypeError(f"an arm that is traced takes {told}, got {x}: give it a symbol of its own")
    known[x] = value
    return value


def _input(arm, name):
    if name in OF_LINKS:
        shape, value = (arm.n, *OF_LINKS[name]), np.stack([getattr(link, name) for link in arm.links])
    elif name in OF_ARMS:
        shape, value = OF_ARMS[name], getattr(arm, name)
    else:
        return Input(name, (), free=True)
    return Input(name, shape, free=True, value=None if is_symbolic(value) else value.astype(float))


def _tidied(array):
    """Return numbers that are whole up to rounding as integers: the 6e-17 of a cosine of 90 degrees is 0."""
    if not all(isinstance(x, (int, float)) for x in array.flat):
        return array
    size = max(1e-300, *(abs(x) for x in array.flat)) if array.ndim else 0.0
    return each(array, lambda x: round(x) if abs(x - round(x)) <= 1e-15 * min(1, size) else x)


def _symbols(arm):
    """Return {name: symbol} of all symbols of an arm."""
    if arm.dtype != object:
        return {}
    owners = [(link, (*OF_LINKS, *FIXED)) for link in arm.links] + [(arm, tuple(OF_ARMS))]
    entries = (x for owner, names in owners for name in names for x in np.asarray(getattr(owner, name), object).flat)
    found = set().union(*(getattr(x, "free_symbols", ()) for x in entries))
    return {str(symbol): symbol for symbol in sorted(found, key=str)}


def _check_names(free, symbols):
    allowed = (*OF_LINKS, *OF_ARMS, *symbols)
    for name in free:
        if name not in allowed:
            raise ValueError(f"free must name parameters of the arm ({', '.join(allowed)}), got {name!r}")
    if len(set(free)) < len(free):
        raise ValueError(f"free must name each parameter once, got {', '.join(free)}")
    bound = [name for name in symbols if name not in free]
    if bound:
        raise TypeError(
            f"a program needs numbers, got the symbols {', '.join(bound)} in the arm: "
            f"build the arm with values, or let them stay free with free=({', '.join(map(repr, bound))},)"
        )
