"""The assignment "n-link": point masses on a chain of links, in absolute angles, for any number of links."""

import robotdyn as rd
from robotdyn.check import laws
from robotdyn.check.question import Later, Question
from robotdyn.later import np


def parameters(draw):
    """Return the chain of one student: three links."""
    lengths = tuple(draw.rounded(0.3, 1.0) for _ in range(3))
    masses = tuple(draw.rounded(0.5, 2.5) for _ in range(3))
    return {"lengths": lengths, "masses": masses, "arm": Later(lambda: rd.robots.planar(lengths, masses))}


def _sizes(p, draw):
    return [(n,) for n in (1, 2, 3, 5)]


def _vectors(p, draw):
    return [(draw.vector(n, -3, 3),) for n in (1, 2, 3, 4)]


def _chains(p, draw):
    """Lengths, masses and absolute angles of chains with 2, 3 and 4 links."""
    return [(draw.vector(n, 0.3, 1.0), draw.vector(n, 0.5, 2.0), draw.vector(n, -3, 3)) for n in (2, 2, 3, 3, 4)]


def _motions(p, draw):
    return [(draw.vector(3, -3, 3), draw.vector(3, -2, 2), draw.vector(3, -3, 3)) for _ in range(5)]


def _terms(at):
    lengths, masses, q = at
    return rd.planar.absolute(rd.robots.planar(lengths, masses), q)


def _from(sentence, function, wrong=None):
    """Return the law that the value is function(at); it says for how many links the answer is right.

    wrong: the lower bound of the sum, where that is the usual suspect.
    """

    def law(p, at, value):
        expected = np.asarray(function(p, at), dtype=float)
        gap = abs(value.reshape(expected.shape) - expected)
        if gap.max() <= laws.NEAR * max(abs(expected).max(), 1e-9):
            return None
        i = np.unravel_index(gap.argmax(), gap.shape)
        return f"{sentence} Look at entry ({', '.join(str(int(k) + 1) for k in i)}) of {len(at[-1])} links."

    return law


def _mass(tail, wave="cos"):
    """A mass matrix whose sum of masses over j >= tail(z, k) may be wrong."""

    def of(p):
        def mass(lengths, masses, q):
            n = len(q)
            rows = [
                [lengths[z] * lengths[k] * sum(masses[tail(z, k) :]) * getattr(np, wave)(q[z] - q[k]) for k in range(n)]
                for z in range(n)
            ]
            return np.array(rows)

        return mass

    return of


def _gravity(sign=1.0, wave="cos", own=False):
    def of(p):
        def gravity(lengths, masses, q):
            loads = masses if own else np.cumsum(masses[::-1])[::-1]
            return sign * 9.81 * loads * lengths * getattr(np, wave)(q)

        return gravity

    return of


def _velocity(sign=1.0, transposed=False, wave="sin"):
    def of(p):
        def velocity(lengths, masses, q):
            n = len(q)
            C = [
                [lengths[z] * lengths[k] * sum(masses[max(z, k) :]) * getattr(np, wave)(q[z] - q[k]) for k in range(n)]
                for z in range(n)
            ]
            return sign * (np.array(C).T if transposed else np.array(C))

        return velocity

    return of


def _torques(p, at):
    q, qd, qdd = at
    return rd.inverse_dynamics(p.arm, rd.planar.to_relative(q), rd.planar.to_relative(qd), rd.planar.to_relative(qdd))


def _wrong_torques(squares=True, transform=True, gravity=1.0):
    def of(p):
        def torque(q, qd, qdd):
            M, C, g = rd.planar.absolute(p.arm, q)
            u = M @ qdd + C @ (qd**2 if squares else qd) + gravity * g
            return rd.planar.joint_torques(u) if transform else u

        return torque

    return of


QUESTIONS = {
    "summing-matrix": Question(
        "the matrix that sums angles up",
        inputs=_sizes,
        shape=None,
        laws=(lambda p, at, value: None if value.shape == (at[0], at[0]) and (value == np.tril(np.ones((at[0], at[0])))).all()
              else "L q should be the running sums of q: the last entry is the sum of all.",),
        mistakes={
            "transposed: L has its zeros above the diagonal": lambda p: lambda n: np.triu(np.ones((n, n))),
            "the diagonal is missing: link z points at q_1 + ... + q_z": lambda p: lambda n: np.tril(np.ones((n, n)), -1),
            "that is the inverse: it takes differences": lambda p: lambda n: np.eye(n) - np.eye(n, k=-1),
        },
        hints=("L q = (q_1, q_1 + q_2, ...).", "Row z has z ones.", "np.tril(np.ones((n, n)))."),
    ),
    "mass-matrix": Question(
        "mass matrix in absolute angles, any number of links",
        inputs=_chains,
        shape=None,
        laws=(laws.symmetric, _from("1/2 qd . M qd is not the kinetic energy.", lambda p, at: _terms(at)[0])),
        mistakes={
            "the sum begins too early: body j moves with links z and k only if j >= both": _mass(min),
            "the sum begins too late: body max(z, k) itself moves, too": _mass(lambda z, k: max(z, k) + 1),
            "the sum runs over j >= z alone: correct on and below the diagonal only": _mass(lambda z, k: z),
            "sine for cosine": _mass(max, "sin"),
        },
        hints=(
            "The velocity of body j is the sum of l_k qd_k over the links k <= j, each across its link.",
            "The dot product of two such directions is cos(q_z - q_k).",
            "l_z l_k times the sum of m_j over j >= max(z, k), times the cosine.",
        ),
    ),
    "gravity": Question(
        "gravity in absolute angles",
        inputs=_chains,
        shape=None,
        laws=(_from("It is not dU/dq in absolute angles.", lambda p, at: _terms(at)[2]),),
        mistakes={
            "the opposite sign": _gravity(-1.0),
            "sine for cosine: angles are measured from the x axis": _gravity(1.0, "sin"),
            "link z carries all bodies from z on, not its own alone": _gravity(own=True),
        },
        hints=(
            "The height of body j is the sum of l_k sin q_k over k <= j.",
            "q_z lifts all bodies j >= z by l_z cos q_z.",
            "9.81 l_z cos q_z times the sum of m_j over j >= z.",
        ),
    ),
    "velocity-terms": Question(
        "the matrix that multiplies the squares of the rates",
        inputs=_chains,
        shape=None,
        laws=(_from("C times the squares of the rates is not the velocity part.", lambda p, at: _terms(at)[1]),),
        mistakes={
            "the opposite sign, or the transpose: sin(q_z - q_k) in row z, column k": _velocity(-1.0),
            "cosine for sine: the derivative of the cosine": _velocity(wave="cos"),
            "half of it: both Christoffel terms give the same": _velocity(0.5),
        },
        hints=(
            "Absolute angles give no products of two different rates.",
            "C_zk = dM_zk/dq_k, for z different from k.",
            "The derivative of cos(q_z - q_k) by q_k is sin(q_z - q_k).",
        ),
    ),
    "joint-torques": Question(
        "from generalized forces to joint torques",
        inputs=_vectors,
        shape=None,
        laws=(_from("The power u . (L qd) is not tau . qd.", lambda p, at: rd.planar.joint_torques(at[0])),),
        mistakes={
            "L in place of its transpose": lambda p: lambda u: np.cumsum(u),
            "that is the way back, from torques to generalized forces": lambda p: lambda u: u - np.append(u[1:], 0.0),
            "differences from the base: angles transform so, forces do not": lambda p: lambda u: u - np.append(0.0, u[:-1]),
        },
        hints=(
            "Power is the same in both coordinates.",
            "u . (L qd) = (L^T u) . qd.",
            "tau_k is the sum of u_z over z >= k.",
        ),
    ),
    "find-the-error": Question(
        "the misprint in a printed formula",
        inputs=None,
        laws=(laws.same_as("With your bound entry (1, 3) of four equal bodies does not count the bodies that both links move.",
                           lambda p, at: 2, 1e-6),),
        mistakes={
            "all four are those from link 1 on: link 3 does not move bodies 1 and 2": lambda p: 4,
            "the misprint's own count: bodies from min(1, 3) to 3": lambda p: 3,
            "body 3 sits at the end of link 3 and moves with it": lambda p: 1,
        },
        hints=("Which bodies does link 3 move?", "Those that both link 1 and link 3 move.", "Bodies 3 and 4."),
    ),
    "inverse-dynamics": Question(
        "joint torques of a motion, with your own numbers",
        inputs=_motions,
        shape=(3,),
        laws=(laws.same_as("It is not the torque that the motion of your arm needs.", _torques),),
        mistakes={
            "C multiplies the squares of the rates, not the rates": _wrong_torques(squares=False),
            "those are generalized forces: joint torques are L^T u": _wrong_torques(transform=False),
            "gravity is missing": _wrong_torques(gravity=0.0),
            "gravity has the opposite sign": _wrong_torques(gravity=-1.0),
        },
        hints=(
            "Put your three functions together: u = M qdd + C qd^2 + g.",
            "p.lengths and p.masses are yours; make arrays of them.",
            "tau = L^T u.",
        ),
    ),
    "explain": Question(
        "why absolute angles have no Coriolis products",
        judged="person",
        hints=(
            "Which products of rates does 2R have in relative angles?",
            "How does M depend on q in absolute angles?",
            "Each entry of M holds the difference of two angles, each belonging to its own row and column.",
        ),
    ),
}  # fmt: skip
