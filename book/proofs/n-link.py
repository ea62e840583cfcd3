"""Proofs of "The N-link planar arm": each displayed equation, for several n, against the three-dimensional library.

The witnesses know nothing of absolute angles: link frames, Jacobians, energies, the recursive algorithms of Newton and
Euler and of articulated bodies, all asked in relative angles; only their arguments are written in absolute ones.
"""

from functools import cache

import sympy as sp

import robotdyn as rd
from eqproof import Bindings, Chapter, abbreviations, family, letters

SIZES = [1, 2, 3]
g = sp.Symbol("g", positive=True)


@cache
def state(n):
    """Return absolute angles, rates and accelerations."""
    return tuple(sp.Matrix(sp.symbols(f"{x}_1:{n + 1}", real=True)) for x in ("Q", "V", "A"))


def relative(x):
    """Return what belongs to the joints: the difference of two neighboring links."""
    return sp.Matrix([x[k] - (x[k - 1] if k else 0) for k in range(len(x))])


@cache
def points(n, only=None):
    """Return a chain of point masses; only: the one link that has its mass."""
    masses = [m if only in (None, j) else 0 for j, m in enumerate(sp.symbols(f"m_1:{n + 1}", positive=True), 1)]
    return rd.robots.planar(n, masses, symbolic=True)


@cache
def parts(n):
    """Return the vectors of links (joint to joint) and of centers of mass, in link axes, anywhere in the plane."""
    ax, ay, cx, cy = (sp.symbols(f"{x}_1:{n + 1}", real=True) for x in ("a_x", "a_y", "c_x", "c_y"))
    return list(zip(ax, ay)), list(zip(cx, cy))


@cache
def bodies(n, spin=True):
    """Return an arm with joints and centers of mass anywhere in the plane; spin: with moments of inertia."""
    (ways, coms), masses = parts(n), sp.symbols(f"m_1:{n + 1}", positive=True)
    inertias = sp.symbols(f"I_1:{n + 1}", positive=True) if spin else [sp.S.Zero] * n
    links = [
        rd.Link(m, (*c, 0), sp.diag(I / 2, I / 2, I), position=(*way, 0))
        for m, c, I, way in zip(masses, coms, inertias, [(0, 0), *ways])
    ]
    return rd.Arm(links, gravity=(0, -g, 0))


def r(n, j, k):
    """Return the part of the way to the center of mass of body j that is fixed in link k: as the text describes it."""
    ways, coms = parts(n)
    return ways[k - 1] if k < j else coms[j - 1] if k == j else (sp.S.Zero, sp.S.Zero)


def column(n, k):
    """Return the rates of a chain of which link k alone turns."""
    return sp.eye(n)[:, k - 1]


@cache
def torque(arm):
    """Return the joint torques of a motion, by the recursive Newton-Euler algorithm."""
    return rd.inverse_dynamics(arm, *map(relative, state(arm.n)))


def forces(tau):
    """Return the factors of the absolute rates in the power of the joint torques."""
    _, V, _ = state(len(tau))
    return relative(V).jacobian(V).T * sp.Matrix(tau)


@cache
def mass(arm):
    """Return M~ as the library's kinetic energy tells it: of two links that turn, less that of each of them alone."""
    Q, _, _ = state(arm.n)
    energy = lambda rates: rd.kinetic_energy(arm, relative(Q), relative(rates))
    pair = lambda z, k: (
        energy(column(arm.n, z) + column(arm.n, k)) - energy(column(arm.n, z)) - energy(column(arm.n, k))
    )
    upper = {(z, k): pair(z, k) for z in range(1, arm.n + 1) for k in range(z, arm.n + 1)}
    return sp.Matrix(arm.n, arm.n, lambda i, k: upper[min(i, k) + 1, max(i, k) + 1])


@cache
def squares(arm):
    """Return C~ as Newton and Euler tell it: column k are the forces while link k alone turns, at unit rate."""
    Q, _, _ = state(arm.n)
    weightless, rest = rd.Arm(arm.links, (0, 0, 0), arm.tip), sp.zeros(arm.n, 1)
    turn = lambda k: forces(rd.inverse_dynamics(weightless, relative(Q), relative(column(arm.n, k)), rest))
    return sp.Matrix.hstack(*(turn(k) for k in range(1, arm.n + 1)))


@cache
def holding(arm):
    """Return g~: the forces that hold the arm at rest, by Newton and Euler."""
    return forces(rd.gravity_torque(arm, relative(state(arm.n)[0])))


@cache
def summing(n):
    """Return L: the rows of the library's Jacobians that give the angular velocity of each link about z."""
    Q, _, _ = state(n)
    return sp.Matrix.vstack(*(rd.com_jacobian(points(n), relative(Q), k)[5, :] for k in range(n)))


def position(arm, j):
    """Return the center of mass of body j."""
    return rd.point_position(arm, relative(state(arm.n)[0]), j - 1, arm.links[j - 1].com)[:2, :]


def velocity(arm, j):
    """Return its velocity: the library's Jacobian, times the rates of the joints."""
    Q, V, _ = state(arm.n)
    return (rd.com_jacobian(arm, relative(Q), j - 1) * relative(V))[:2, :]


@cache
def frames(n):
    """Return the orientations of the links."""
    return [R[:2, :2] for R in map(sp.Matrix, rd.link_poses(points(n), relative(state(n)[0]))[0].tolist())]


def delta(i, k):
    """Return the symbol of Kronecker."""
    return int(i == k)


def turned(angle):
    """Return the matrix of a turn by an angle: the library's frame of a single link."""
    return rd.link_poses(points(1), sp.Matrix([angle]))[0][0, :2, :2]


def motion(n):
    """Return what all arms of n links share: the state, and what only counts."""
    Q, V, A = state(n)
    return (
        Bindings()
        .motion(Q, V, A)
        .bind(
            {
                "N": n,
                r"\tilde{\boldsymbol q}": Q,
                r"\boldsymbol q": relative(Q),
                r"\boldsymbol L": summing(n),
                r"\delta_{**}": delta,
                r"\boldsymbol e_y": [0, 1],
            }
        )
    )


def terms(arm):
    """Return the bindings of the equation of motion of an arm."""
    return {
        **letters(arm),
        r"\tilde{\boldsymbol M}": mass(arm),
        r"\tilde{\boldsymbol C}": squares(arm),
        r"\tilde{\boldsymbol g}": holding(arm),
        r"\boldsymbol\tau": torque(arm),
        r"\boldsymbol u": forces(torque(arm)),
    }


def chain(n):
    """Return the bindings of a chain of point masses; none where no number of links is given."""
    if n is None:
        return {}
    arm, (Q, V, _) = points(n), state(n)
    lengths, level = sp.symbols(f"l_1:{n + 1}", positive=True), dict.fromkeys(Q, 0)
    table = motion(n).bind(terms(arm))
    return table.bind(
        {
            r"\boldsymbol e_*": lambda k: frames(n)[k - 1][:, 0],
            r"\boldsymbol n_*": lambda k: frames(n)[k - 1][:, 1],
            r"\boldsymbol p_*": lambda j: position(arm, j),
            r"\dot{\boldsymbol p}_*": lambda j: velocity(arm, j),
            r"T_*": family(n, lambda j: rd.kinetic_energy(points(n, j), relative(Q), relative(V))),
            r"U_*": family(n, lambda j: rd.potential_energy(points(n, j), relative(Q))),
            r"\mu_*": lambda i: sp.cancel(holding(arm)[i - 1].subs(level) / (g * lengths[i - 1])),
        }
    )


def anywhere(n):
    """Return the bindings of an arm with centers of mass anywhere; none where no number of links is given."""
    if n is None:
        return {}
    arm, bare, (Q, _, _) = bodies(n), bodies(n, spin=False), state(n)
    level = dict.fromkeys(Q, 0)
    return (
        motion(n)
        .bind(terms(arm))
        .bind(
            {
                r"\boldsymbol p_{c*}": lambda j: position(arm, j),
                r"\boldsymbol R": turned,
                r"\boldsymbol r_{**}": lambda j, k: r(n, j, k),
                r"x_{**}": lambda j, k: r(n, j, k)[0],
                r"y_{**}": lambda j, k: r(n, j, k)[1],
                r"\boldsymbol A": mass(bare).subs(level),
                r"\boldsymbol B": sp.Matrix(n, n, lambda z, k: mass(bare)[z, k].diff(Q[z]).subs(level)),
            }
        )
    )


def outward(n):
    """Return all links z with the masses j that they carry."""
    return [{"z": z, "j": j} for z in range(1, n + 1) for j in range(z, n + 1)]


chapter = Chapter(__file__)
chapter.bind(chain)
chapter.units(dict.fromkeys((r"\boldsymbol A", r"\boldsymbol B"), "kg m^2") | {r"\delta_{**}": "1"})
chapter.units(dict.fromkeys(("x_*", "y_*", "x_{**}", "y_{**}", r"\boldsymbol r_{**}"), "m"))
chapter.units(dict.fromkeys((r"\boldsymbol e_*", r"\boldsymbol n_*"), "1"))


# ---- where the masses are -------------------------------------------------------------------------------------------


def small(n):
    """Return angles of an arm whose links all point less than half a turn away from the x axis."""
    q = [2 * sp.atan(x) / n for x in sp.symbols(f"q_1:{n + 1}", real=True)]
    R, _ = rd.link_poses(rd.robots.planar(n), sp.Matrix(q))
    return {r"\boldsymbol q": q, r"\tilde{\boldsymbol q}": [sp.atan2(R[k, 1, 0], R[k, 0, 0]) for k in range(n)]}


chapter.prove("eq-n-link-absolute", small, each="k", n=[1, 2, 3, 4], by="the directions of the library's link frames")
rows = "the angular rows of the library's Jacobians"
chapter.prove("eq-n-link-L", n=[3], by=rows)
chapter.prove("eq-n-link-along", each="k", n=SIZES, by="the library's link frames")
chapter.prove("eq-n-link-across", each="k", n=SIZES, by="the library's link frames")
chapter.prove("eq-n-link-position", each="j", n=SIZES, by="the library's position of the mass")

# ---- energies -------------------------------------------------------------------------------------------------------

alone = "the library's energy of the arm with mass j alone"
chapter.prove("eq-n-link-velocity", each="j", n=SIZES, by="the library's Jacobian of the mass, times the joint rates")
chapter.prove("eq-n-link-potential", each="j", n=SIZES, by=alone)
chapter.prove("eq-n-link-kinetic-sum", each="j", n=SIZES, by=alone)

# ---- forces ---------------------------------------------------------------------------------------------------------

power = "the factors of the absolute rates in the power of the Newton-Euler torques"
chapter.prove("eq-n-link-forces", each="z", n=SIZES, by=power)
chapter.prove("eq-n-link-u", n=SIZES, by=power)

# ---- the equation of one link ---------------------------------------------------------------------------------------

newton_euler = "the recursive Newton-Euler algorithm"
chapter.prove("eq-n-link-euler-lagrange", each="z", n=SIZES, by=f"energies against {newton_euler}")
differentiated = "differentiation of the library's energy of mass j"
for name in ("momentum", "momentum-rate", "kinetic-slope", "potential-slope"):
    chapter.prove(f"eq-n-link-{name}", each=outward, n=SIZES, by=differentiated)
chapter.prove("eq-n-link-newton", each="z", n=SIZES, by=newton_euler)
chapter.prove("eq-n-link-acceleration", each="j", n=SIZES, by="the time derivative of the library's velocity")
chapter.prove("eq-n-link-one-link", each="z", n=SIZES, by=newton_euler)

# ---- all links at once ----------------------------------------------------------------------------------------------

energy = "the library's kinetic energy while one link turns, or two"
chapter.prove("eq-n-link-outer-mass", each="i", n=SIZES, by="the force that holds link i level, by Newton-Euler")
chapter.prove("eq-n-link-M", each="z k", n=SIZES, by=energy)
chapter.prove("eq-n-link-C", each="z k", n=SIZES, by="Newton-Euler forces while one link turns")
chapter.prove("eq-n-link-g", each="z", n=SIZES, by="Newton-Euler forces at rest")
chapter.prove("eq-n-link-closed", n=SIZES, by=newton_euler)

for name, entries in (("two-M-absolute", energy), ("two-C-absolute", "Newton-Euler forces while one link turns")):
    chapter.prove(f"eq-n-link-{name}", lambda n: abbreviations(relative(state(n)[0])), n=[2], by=entries)


def joints(n):
    """Return the bindings of a chain of point masses seen from its joints."""
    Q, _, _ = state(n)
    return {r"\boldsymbol M": rd.mass_matrix(points(n), relative(Q)), **abbreviations(relative(Q))}


def massless(n):
    """Return a chain whose first mass is zero."""
    arm = rd.robots.planar(n, [0, *sp.symbols(f"m_2:{n + 1}", positive=True)], symbolic=True)
    return {r"\tilde{\boldsymbol M}": mass(arm)}


chapter.prove("eq-n-link-two-M", joints, n=[2], by="the library's mass matrix")
chapter.prove("eq-n-link-two-velocity", joints, n=[2], by="Newton-Euler forces while one link turns")
chapter.prove("eq-n-link-two-determinant", massless, n=[2], by="the library's kinetic energy without the first mass")


def pulls(n):
    """Return the forces in the rods of a chain without motors: what Newton's law asks for all that lies beyond a rod.

    Its accelerations are those of articulated bodies.
    """
    (Q, V, A), arm = state(n), points(n)
    free = dict(zip(A, sp.Matrix(rd.forward_dynamics(arm, relative(Q), relative(V), sp.zeros(n, 1)))))
    joints = [sum(free[A[i]] for i in range(k + 1)) for k in range(n)]  # from the joints' accelerations to the links'

    def pull(k):
        force = sp.zeros(2, 1)
        for j in range(k, n + 1):
            v = velocity(arm, j)
            force += arm.links[j - 1].mass * (v.jacobian(Q) * V + v.jacobian(V) * sp.Matrix(joints) + sp.Matrix([0, g]))
        return -frames(n)[k - 1][:, 0].dot(force)

    masses, lengths = sp.symbols(f"m_1:{n + 1}", positive=True), sp.symbols(f"l_1:{n + 1}", positive=True)
    return {r"\lambda_*": cache(pull), "m_*": lambda k: masses[k - 1], "l_*": lambda k: lengths[k - 1]}


chapter.units({r"\lambda_*": "N"})
chapter.prove(
    "eq-n-link-tensions",
    pulls,
    each=lambda n: [{"k": k} for k in range(2, n)],
    n=[3, 4],
    by="Newton's law for all that lies beyond a rod, with the accelerations of articulated bodies",
)

# ---- centers of mass anywhere ---------------------------------------------------------------------------------------

chapter.bind(anywhere)

general = "for centers of mass anywhere: energies and Newton-Euler"
chapter.prove("eq-n-link-mass-slope", each="z k p", n=SIZES, by=general)
chapter.prove(
    "eq-n-link-christoffel",
    each="z k",
    n=SIZES,
    by=general,
    dead={r"\dot{\tilde q}_p": "only the term of p = k is not zero, as the right side says"},
)
chapter.prove("eq-n-link-skew", each="z k", n=SIZES, by=general)
chapter.prove("eq-n-link-relative", n=SIZES, by=f"for centers of mass anywhere: {newton_euler}")
chapter.prove("eq-n-link-com", each="j", n=SIZES, by="the library's position of the center of mass")
chapter.prove(
    "eq-n-link-general-M", each="z k", n=SIZES, by=energy, dead={"I_z": "the sign in front is zero unless z = k"}
)
chapter.prove("eq-n-link-A", each="z k", n=SIZES, by="the library's kinetic energy, all links level, without moments")
chapter.prove(
    "eq-n-link-B",
    each="z k",
    n=SIZES,
    by="the slope of the library's kinetic energy, all links level",
    dead={"1": "link 1 has a vector alone, whose product with itself is zero"},
)
chapter.prove("eq-n-link-general-C", each="z k", n=SIZES, by="Newton-Euler forces while one link turns")
chapter.prove("eq-n-link-general-g", each="z", n=SIZES, by="Newton-Euler forces at rest")
