"""What units are worth in base units, with their prefixes: km, kWh, min; each base unit is a symbol."""

import sympy

PREFIXES = {"n": -9, "µ": -6, "u": -6, "m": -3, "c": -2, "d": -1, "h": 2, "k": 3, "M": 6, "G": 9, "T": 12}
M, KG, S, AMPERE, KELVIN, MOLE = sympy.symbols("metre kilogram second ampere kelvin mole", positive=True)
NEWTON = KG * M / S**2
UNITS: dict[str, sympy.Expr] = {
    "m": M, "g": KG / 1000, "s": S, "A": AMPERE, "K": KELVIN, "mol": MOLE, "N": NEWTON, "J": NEWTON * M, "W": NEWTON * M / S,
    "Pa": NEWTON / M**2, "Hz": 1 / S, "V": NEWTON * M / S / AMPERE, "C": AMPERE * S, "F": AMPERE**2 * S**2 / (NEWTON * M),
    "T": NEWTON / M / AMPERE, "L": M**3 / 1000, "l": M**3 / 1000, "bar": 100_000 * NEWTON / M**2, "min": 60 * S, "h": 3600 * S,
    "t": 1000 * KG, "rad": sympy.Integer(1), "Wh": 3600 * NEWTON * M, "ohm": NEWTON * M / S / AMPERE**2,
}  # fmt: skip


def value_of_unit(name: str) -> sympy.Expr | None:
    """Return what a unit is in base units, kg, km and kWh too; None of what is none."""
    if name in UNITS:
        return UNITS[name]
    rest = UNITS.get(name[1:])
    if rest is None or name[:1] not in PREFIXES or name[1:] in ("min", "h", "t", "bar", "rad"):
        return None
    return sympy.Integer(10) ** PREFIXES[name[:1]] * rest
