"""Proofs of "What does a branch change?": trees of links, against places that are differentiated; zeros, by free letters.

The witness of the recursions knows the places and orientations of the links alone, that of the factors knows no tree: it
solves with all joints from one on.
"""

import runpy
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import sympy as sp
from sympy.polys.matrices import DomainMatrix

import robotdyn as rd
from eqproof import Chapter, family
from robotdyn.dynamics.kinematics import joint_motion, joint_transform
from robotdyn.maths.spatial import cross_motion, inertia, transform

first = SimpleNamespace(**runpy.run_path(str(Path(__file__).with_name("recursive-algorithms.py"))))
symbols, fall, LINKS = first.symbols, first.fall, first.LINKS
matrix, column, members = first.matrix, first.column, first.members

chapter = Chapter(__file__)
chapter.symmetric(r"\boldsymbol D")
chapter.units("joints")
part = lambda i: int(i > 3)  # spatial vectors: the angular part first
chapter.units(
    {
        r"\hat{\boldsymbol v}_*": lambda i, row, _: ("rad/s", "m/s")[part(row)],
        r"\hat{\boldsymbol a}_*": lambda i, row, _: ("rad/s^2", "m/s^2")[part(row)],
        r"\hat{\boldsymbol f}_*": lambda i, row, _: ("N m", "N")[part(row)],
        r"\boldsymbol S_*": lambda i, row, _: ("rad/u_i", "m/u_i")[part(row)],
        r"\boldsymbol X_*": lambda k, i, j: ("1/m", "1", "m")[1 + part(i) - part(j)],
        r"\boldsymbol V_*": lambda k, i, j: ("1/m s", "1/s", "m/s")[1 + part(i) - part(j)],
        r"\boldsymbol I_*": lambda k, i, j: ("kg m^2", "kg m", "kg")[part(i) + part(j)],
        r"\boldsymbol L": "u_i/u_j",
        r"\boldsymbol D": "J s^2/u_i u_j",
        r"\boldsymbol A": "J s^2/u_i u_j",
        "c_{**}": "1",
        "e_{**}": "1",
        "d_*": "1",
        "z": "1",
        "N": "1",
    }
)

# ---- trees in space, of links that turn, slide and turn -----------------------------------------------------------------

TREES = {3: (-1, 0, 0), 4: (-1, 0, 1, 0)}
SIZES = list(TREES)


def path(parents, i):
    """Return the joints that carry link i, from 0."""
    return {i} | (path(parents, parents[i]) if parents[i] >= 0 else set())


def carries(parents):
    """Return e (n, n): 1 where joint j carries link i."""
    n = len(parents)
    return sp.Matrix(n, n, lambda i, j: int(j in path(parents, i)))


@cache
def walk(n):
    """Return what moves and what pushes in the tree of n links, by differentiation of the places of its links."""
    parents = TREES[n]
    arm = rd.Arm([*LINKS, LINKS[0]][:n], fall, parents=parents)
    at = first.moving(arm)
    R, p, com, F, N, omega, rate = at.R, at.p, at.com, at.F, at.N, at.omega, at.rate
    f = []
    for i in range(n):
        beyond = [j for j in range(n) if i in path(parents, j)]
        moment = sum(((com[j] - p[i]).cross(F[j]) + N[j] for j in beyond), sp.zeros(3, 1))
        force = sum((F[j] for j in beyond), sp.zeros(3, 1))
        f.append(sp.Matrix([*(R[i].T * moment), *(R[i].T * force)]))
    T = sum(
        (link.mass * rate(c).dot(rate(c)) + w.dot(matrix(link.inertia) * w)) / 2
        for link, c, w in zip(arm.links, com, omega)
    )
    return SimpleNamespace(arm=arm, parents=parents, f=f, T=T, **vars(at))


def spatial(n):
    """Return the bindings of spatial vectors in link axes."""
    s = walk(n)
    X = [matrix(transform(*joint_transform(link, x))) for link, x in zip(s.arm.links, s.q)]
    children = sp.Matrix(n, n, lambda i, j: int(s.parents[j] == i))
    return s.motion.copy().bind(
        {
            "n": n,
            r"\boldsymbol q": s.q,
            "c_{**}": lambda i, j: children[i - 1, j - 1],
            r"\boldsymbol S_*": members([matrix(joint_motion(link)) for link in s.arm.links]),
            r"\boldsymbol X_*": members(X),
            r"\boldsymbol I_*": members([matrix(inertia(x.mass, x.com, x.inertia)) for x in s.arm.links]),
            r"\boldsymbol V_*": members([matrix(cross_motion(column(v))) for v in s.v]),
            r"\hat{\boldsymbol v}_*": members(s.v, before=sp.zeros(6, 1)),
            r"\hat{\boldsymbol a}_*": members(s.a),
            r"\hat{\boldsymbol f}_*": members(s.f),
        }
    )


each_link = lambda n: [{"i": i} for i in range(1, n + 1)]
with_parent = lambda n: [{"i": i, "p": TREES[n][i - 1] + 1} for i in range(1, n + 1)]
by = "places and orientations of the links of a tree, differentiated"
chapter.prove("eq-branches-velocity", spatial, each=with_parent, n=SIZES, by=by)
by = "the rates of the momenta of all links that hang on a joint, and their weights"
chapter.prove("eq-branches-force", spatial, each=each_link, n=SIZES, by=by, dead={"i+1": "no link hangs on itself"})

# ---- zeros of the mass matrix ---------------------------------------------------------------------------------------------


@cache
def in_base_axes(n):
    """Return the bindings of motions and inertias in base axes, about the base's origin, and of M by the kinetic energy."""
    s = walk(n)
    w, u = symbols("w_x w_y w_z"), symbols("u_x u_y u_z")
    S, I = [], []
    for i, link in enumerate(s.arm.links):
        turning = s.R[i] * s.omega[i]
        passing = s.rate(s.p[i]) - turning.cross(s.p[i])  # of the point of link i at the origin
        S.append(sp.Matrix([*turning, *passing]).diff(s.qd[i]))
        v, spin = u + w.cross(s.com[i]), s.R[i].T * w
        energy = (link.mass * v.dot(v) + spin.dot(matrix(link.inertia) * spin)) / 2
        I.append(sp.hessian(energy, [*w, *u]))
    e = carries(s.parents)
    return {
        "n": n,
        r"\boldsymbol M": sp.hessian(s.T, list(s.qd)),
        r"\boldsymbol S_*": members(S),
        r"\boldsymbol I_*": members(I),
        "e_{**}": lambda i, j: e[i - 1, j - 1],
    }


pairs = lambda n: [{"i": i, "j": j} for i in range(1, n + 1) for j in range(1, n + 1)]
by = "second derivatives of the kinetic energy of a tree, from places that are differentiated"
chapter.prove("eq-branches-mass", in_base_axes, each=pairs, n=SIZES, by=by)
ITSELF = "a link is carried by its own joint: with one index twice the factor is 0"
chapter.prove("eq-branches-zeros", in_base_axes, each=pairs, n=SIZES, by=by, dead={"e_{ij}": ITSELF, "e_{ji}": ITSELF})

# ---- trees of any shape, by numbers ----------------------------------------------------------------------------------------


@cache
def grown(n):
    """Return a random tree of n links and its mass matrix in numbers, by the library's sum over links."""
    rng = np.random.default_rng(n)
    parents = [-1, *(int(rng.integers(k)) for k in range(1, n))]
    arm = rd.Arm(rd.robots.random_arm(rng, n).links, parents=parents)
    return parents, rd.by_links.mass_matrix(arm, rng.normal(size=n))


def counted(n):
    """Return the depths of a tree, its entries that are not zero, and the products of an elimination that looks at zeros."""
    parents, M = grown(n)
    seen, products = abs(M) > 1e-12 * abs(M).max(), 0
    for k in reversed(range(n)):
        before = np.flatnonzero(seen[k, :k])
        products += sum(1 for i in before for j in before if j <= i)
        seen[np.ix_(before, before)] = True  # what may be filled
    return {
        "n": n,
        "d_*": family(n, lambda i: len(path(parents, i - 1))),
        "z": int(np.count_nonzero(abs(M) > 1e-12 * abs(M).max())),
        "N": products,
    }


trees = [2, 3, 5, 8, 13]
chapter.prove("eq-branches-count", counted, n=trees, by="the entries of mass matrices of random trees, looked at")
by = "the products of an elimination that knows no tree and passes by zeros, on random trees"
chapter.prove(
    "eq-branches-cost", counted, n=trees, by=by, dead={"1": "the first joint is carried by no other: its term is 0"}
)

# ---- factors, of any matrix with the zeros of a tree ---------------------------------------------------------------------------

SHAPES = {3: (-1, 0, 0), 5: (-1, 0, 1, 0, 3)}


def sparse(parents):
    """Return a symmetric matrix of free letters with zeros where neither joint carries the other."""
    e = carries(parents)
    n = len(parents)
    entry = lambda i, j: sp.Symbol(f"m_{max(i, j) + 1}{min(i, j) + 1}", real=True) if e[i, j] or e[j, i] else 0
    return sp.Matrix(n, n, entry)


def inverse(A):
    """Return A^-1, as exact quotients of polynomials."""
    return DomainMatrix.from_Matrix(A).to_field().inv().to_Matrix()


@cache
def factored(n):
    """Return M, and L and D by solving with all joints from k on, whatever hangs where."""
    parents = SHAPES[n]
    M = sparse(parents)
    L, D = sp.eye(n), sp.zeros(n, n)
    for k in range(n):
        yielding = inverse(M[k:, k:])[0, :]
        D[k, k] = 1 / yielding[0]  # what joint k feels with all behind it free
        for j in range(k):
            L[k, j] = (yielding * M[k:, j])[0]
    e = carries(parents)
    return {
        r"\boldsymbol M": M,
        r"\boldsymbol L": L,
        r"\boldsymbol D": D,
        "e_{**}": lambda i, j: e[i - 1, j - 1],
    }


below = lambda n: [{"i": i, "j": j} for i in range(1, n + 1) for j in range(1, i + 1)]
by = "inverses of the blocks of all joints from one on, for free letters with the zeros of a tree"
chapter.prove("eq-branches-factors", factored, n=list(SHAPES), by=by)
without_M = lambda n: {letter: value for letter, value in factored(n).items() if letter != r"\boldsymbol M"}
chapter.prove("eq-branches-nofill", without_M, each=below, n=list(SHAPES), by=by, dead={"e_{ij}": ITSELF})

# ---- two arms on a trunk ----------------------------------------------------------------------------------------------------

M = sparse(SHAPES[5])
W = inverse(M)
arms, trunk = symbols("a_2:6"), sp.Symbol("a_1", real=True)
yields = sp.solve((M[0, :] * sp.Matrix([trunk, *arms]))[0], trunk)[0]  # no torque holds the trunk
felt = (M[1:, :] * sp.Matrix([yields, *arms])).jacobian(arms)
chapter.prove(
    "eq-branches-fill",
    {r"\boldsymbol M": M, r"\boldsymbol A": sp.diag(0, felt)},
    by="the torques that move the arms on a trunk without a motor",
)
chapter.prove(
    "eq-branches-coupling",
    {
        r"\boldsymbol W_{rl}": W[1:3, 3:],
        "D_1": 1 / W[0, 0],
        r"\boldsymbol M_r": M[1:3, 1:3],
        r"\boldsymbol M_l": M[3:, 3:],
        r"\boldsymbol m_r": M[1:3, 0],
        r"\boldsymbol m_l": M[3:, 0],
    },
    by="the inverse of the whole matrix",
)


def driven(n):
    """Return the mass matrix of a tree, that of two coordinates which drive its joints, both by kinetic energies."""
    s = walk(n)
    G = sp.Matrix(n, 2, lambda i, j: sp.Symbol(f"G_{i + 1}{j + 1}", real=True))
    yd = symbols("ydot_1:3")
    energy = s.T.subs(dict(zip(s.qd, G * yd)), simultaneous=True)
    return {
        r"\boldsymbol M": sp.hessian(s.T, list(s.qd)),
        r"\boldsymbol G": G,
        r"\boldsymbol M_y": sp.hessian(energy, list(yd)),
    }


chapter.prove("eq-branches-coupled", driven, n=[3], by="the kinetic energy of a tree as a function of its coordinates")
