"""Tables in layers: what holds for all that follows, what a definition adds, and what one equation has for itself."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from eqproof.algebra import Value
from eqproof.bindings import Bindings
from eqproof.errors import ProofError
from eqproof.evaluate import Evaluation
from eqproof.parser import parse
from eqproof.quantities import Family
from eqproof.tree import Node, Symbol

Size = int | None  # for which a table is made, None where it is one for all
Table = dict[Any, Any] | Bindings
Given = Table | Callable[[Any], Table] | None  # what an author binds, for all sizes or for each of them


@dataclass(frozen=True)
class Let:
    """Binds the left side of a definition to its right side; free indices make it a family."""

    label: str
    text: str
    letters: tuple[str, ...]
    table: Given = None

    def extend(self, bindings: Bindings, n: Size) -> None:
        """Add the name to a table."""
        before = bindings.copy()
        add_layer(before, self.table, n)
        for chain in parse(self.text, self.label).chains:
            name = chain.sides[0]
            value = chain.sides[1]
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

    def member(self, value: Node, letters: Sequence[str], bindings: Bindings) -> Callable[..., Value]:
        """Return the right side as a function of the free indices; an error in it shows its place in the definition."""

        def evaluated(*at: int) -> Value:
            try:
                return Evaluation(bindings, indices=dict(zip(letters, at)))(value)
            except ProofError as error:
                raise error.at(self.text, label=self.label) from None

        return evaluated


Layer = Given | Let


class Layers:
    """Tables on top of each other; the table that they make is built once for each size n, and lives as long as they do."""

    def __init__(self, below: "Layers | None" = None, layer: Layer = None) -> None:
        self.below = below
        self.layer = layer
        self.made: dict[Size, Bindings] = {}
        self.above: dict[Callable[[Any], Table], Layers] = {}

    def add(self, layer: Layer) -> "Layers":
        """Return these with one more on top; None adds nothing, and one function on top of these makes one table."""
        if layer is None:
            return self
        return self.above.setdefault(layer, Layers(self, layer)) if callable(layer) else Layers(self, layer)

    def holds(self, label: str) -> bool:
        """Tell whether the definition with this label is one of these."""
        return (isinstance(self.layer, Let) and self.layer.label == label) or bool(
            self.below and self.below.holds(label)
        )

    def with_text(self, label: str, text: str) -> "Layers":
        """Return these with another text of the definition with this label."""
        if not self.holds(label):
            return self
        below = self.below and self.below.with_text(label, text)
        layer = self.layer
        if isinstance(layer, Let) and layer.label == label:
            layer = replace(layer, text=text)
        return Layers(below, layer)

    def table(self, n: Size = None) -> Bindings:
        """Return the table for a size n; it is shared, and must be copied before it is changed."""
        if n not in self.made:
            table = self.below.table(n).copy() if self.below else Bindings()
            add_layer(table, self.layer, n)
            self.made[n] = table
        return self.made[n]


def add_layer(bindings: Bindings, layer: Layer, n: Size) -> None:
    """Add a layer to a table, for a size n."""
    if isinstance(layer, Let):
        layer.extend(bindings, n)
        return
    table = layer(n) if callable(layer) else layer or {}
    bindings.merge(table) if isinstance(table, Bindings) else bindings.bind(table)
