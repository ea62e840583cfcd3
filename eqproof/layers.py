"""Tables in layers: what holds for all that follows, what a definition adds, and what one equation has for itself."""

from dataclasses import dataclass, replace
from typing import Any

from eqproof.bindings import Bindings
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation
from eqproof.parser import parse
from eqproof.quantities import Family
from eqproof.tree import Symbol


@dataclass(frozen=True)
class Let:
    """Binds the left side of a definition to its right side; free indices make it a family."""

    label: str
    text: str
    letters: tuple
    table: Any = None

    def extend(self, bindings, n):
        """Add the name to a table."""
        before = bindings.copy()
        take(before, self.table, n)
        for chain in parse(self.text, self.label).chains:
            name, value = chain.sides[0], chain.sides[1]
            if not isinstance(name, Symbol):
                raise ProofError("is no symbol: a definition cannot bind it", self.text, label=self.label, of=name)
            stars = [piece for piece in name.sub if piece in self.letters]
            member = self.member(value, stars, before.copy())
            if not stars:
                made = {name: member()}
            else:
                names = tuple(piece for piece in name.sub if piece not in stars)
                made = {replace(name, sub=names): Family(len(stars), member)}
            before.bind(made)
            bindings.bind(made)

    def member(self, value, letters, bindings):
        """Return the right side as a function of the free indices; an error in it shows its place in the definition."""

        def evaluated(*at):
            try:
                return Evaluation(bindings, at=dict(zip(letters, at)))(value)
            except ProofError as error:
                raise error.at(self.text, label=self.label) from None

        return evaluated


_TABLES: dict = {}


def layered(layers, n):
    """Return the table that layers of bindings make for a size n."""
    key = (tuple(map(id, layers)), n)
    if key not in _TABLES:
        bindings = Bindings()
        for layer in layers:
            take(bindings, layer, n)
        _TABLES[key] = (bindings, layers)  # the layers are kept, so that no other object takes their id
    return _TABLES[key][0]


def take(bindings, layer, n):
    """Add a layer to a table, for a size n."""
    if isinstance(layer, Let):
        layer.extend(bindings, n)
        return
    table = layer(n) if callable(layer) else layer or {}
    bindings.merge(table) if isinstance(table, Bindings) else bindings.bind(table)
