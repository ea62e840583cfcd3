"""What an author can do where a step with declared letters has no value: a letter of another chapter, a root of what may be negative."""

import numpy as np

from eqproof import conventions, tree
from eqproof.comparison import name_of
from eqproof.declared_letters import Declared
from eqproof.errors import Misfit, NoNumber, ProofError, WrongShape


def way_on(error: ProofError, sides: tuple[tree.Node, tree.Node], declared: Declared, text: str) -> str:
    """Return the end of the sentence of an error in a step with declared letters, "" where it tells all itself."""
    if not declared.speaks_of(*sides):
        return ""
    if isinstance(error, Misfit | WrongShape):
        sized = [x for x in conventions.symbols(*sides) if isinstance(declared.look(x), np.ndarray)]
        names = ", ".join(dict.fromkeys(name_of(x, text) for x in sized))
        return f"; declared with a size: {names}; forget what is another letter here" if names else ""
    if isinstance(error, NoNumber):
        return "; declare signs, x positive, or bounds, 0 < x < 1"
    return ""
