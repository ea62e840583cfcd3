"""Proofs of "What dynamics costs": products and energies against the library's matrices and torques, counts against its records."""

import numpy as np
import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter
from robotdyn.maths.spatial import inertia, rotation, transform

chapter = Chapter(__file__)
part = lambda i: int(i > 3)  # spatial vectors: the angular part first
chapter.units(
    {
        r"\boldsymbol I": lambda i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        r"\boldsymbol I_O": "kg m^2",
        r"\boldsymbol X": lambda i, j: ("1/m", "1", "m")[1 + part(i) - part(j)],
        r"\kappa_*": "1",
    }
)

# ---- arms -----------------------------------------------------------------------------------------------------------

# a frame that turns and shifts, and a body, in space
angle, axis = sp.Symbol("angle", real=True), sp.Matrix([2, -1, 2]) / 3
p, omega, v_O, c = (sp.Matrix(sp.symbols(f"{x}_x {x}_y {x}_z", real=True)) for x in ("p", "omega", "v", "c"))
m, spin = sp.Symbol("m", positive=True), sp.symbols("J_1:7", positive=True)
about_com = sp.Matrix([[spin[0], spin[3], spin[4]], [spin[3], spin[1], spin[5]], [spin[4], spin[5], spin[2]]])
R = sp.Matrix(rotation(np.array(axis).ravel(), angle))
I = sp.Matrix(inertia(m, np.array(c).ravel(), np.array(about_com)))
space = {
    r"\boldsymbol R": R,
    r"\boldsymbol p": p,
    r"\boldsymbol\omega": omega,
    r"\boldsymbol v_O": v_O,
    r"\hat{\boldsymbol v}": [*omega, *v_O],
    r"\boldsymbol X": sp.Matrix(transform(np.array(R), np.array(p).ravel())),
    r"\boldsymbol I": I,
    r"\boldsymbol I_O": I[:3, :3],
    r"\boldsymbol c": c,
    "m": m,
}
chapter.prove("eq-computer-transform", space, by="the library's 6 x 6 matrix of a frame that turns about any axis")
chapter.prove("eq-computer-momentum", space, by="the library's 6 x 6 matrix of a symbolic body")


def energies(n):
    """Bind the energies of an arm, and the torques of Newton and Euler."""
    arm = rd.robots.planar(n, None, *(sp.symbols(f"{x}_1:{n + 1}", positive=True) for x in "cI"), symbolic=True)
    q, qd, qdd = (sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x in "qva")
    table = Bindings().motion(q, qd, qdd)
    return table.bind(
        {
            "N": n,
            r"\boldsymbol q": q,
            r"\boldsymbol\tau": rd.inverse_dynamics(arm, q, qd, qdd),
            "T": rd.kinetic_energy(arm, q, qd),
            "U": rd.potential_energy(arm, q),
        }
    )


chapter.prove("eq-computer-lagrange", energies, each="k", n=[1, 2, 3], by="the recursive Newton-Euler algorithm")

# ---- counts ---------------------------------------------------------------------------------------------------------


def counted(n):
    """Bind the operations of two algorithms for a planar arm whose numbers have no pattern."""
    rng = np.random.default_rng(n)
    lengths, masses, coms, inertias = rng.uniform(0.5, 1.5, (4, n))
    arm = rd.robots.planar(lengths, masses, coms, inertias)
    count = {"RNEA": rd.inverse_dynamics, "CRBA": rd.mass_matrix}
    counts = {rf"\kappa_{{{name}}}": rd.trace(text, arm).operations for name, text in count.items()}
    return Bindings().bind(counts | {"N": n})


SIZES = [2, 3, 4, 7, 12]
chapter.prove("eq-computer-rnea", counted, n=SIZES, by="the operations that the library records")
chapter.prove("eq-computer-crba", counted, n=SIZES, by="the operations that the library records")
