"""Laws of derived equations: what comes out of an arm or a Lagrangian is d/dt dL/dqd - dL/dq, in every form."""

import numpy as np
import pytest
import sympy
from arms import WORDS
from sympy.physics.mechanics import LagrangesMethod, dynamicsymbols

import robotdyn as rd
from robotdyn.symbolic.lagrange import (
    bracket,
    christoffel,
    christoffel_symbols,
    derive,
    euler_lagrange,
    matrix_form,
    products,
    squares,
    squares_and_products_form,
    standard_form,
)

# Closed forms of arms of a few meters and kilograms have values up to some hundreds: rounding stays far below 1e-10.
CLOSE = {"rtol": 1e-10, "atol": 1e-10}
l, m, I, cx, cy = (sympy.symbols(f"{x}_1:4", real=True) for x in ("l", "m", "I", "cx", "cy"))
g = sympy.Symbol("g", positive=True)
t = sympy.Symbol("t", real=True)


def numbers(*matrices, seed=1):
    """Evaluate matrices at one random point, the same for all of them."""
    names = sorted(set().union(*(A.free_symbols for A in matrices)), key=str)
    point = np.random.default_rng(seed).uniform(0.3, 1.7, size=len(names))
    values = sympy.lambdify(names, [sympy.Matrix(A) for A in matrices])(*point)
    return [np.array(value, dtype=float) for value in values]


def assert_equal(A, B):
    """Two matrices of expressions have the same values at three random points."""
    for seed in range(3):
        np.testing.assert_allclose(*numbers(A, B, seed=seed), **CLOSE)


def planar_energies(n, q, qd):
    """T and V of the planar n-link arm from position vectors, by hand; qd of every angle."""
    T = V = x = y = phi = rate = 0
    for i in range(n):
        phi, rate = phi + q[i], rate + qd[i]
        p = sympy.Matrix([x + cx[i] * sympy.cos(phi) - cy[i] * sympy.sin(phi)])
        p = p.col_join(sympy.Matrix([y + cx[i] * sympy.sin(phi) + cy[i] * sympy.cos(phi)]))
        v = p.jacobian(list(q)) * sympy.Matrix(qd)
        T, V = T + m[i] * v.dot(v) / 2 + I[i] * rate**2 / 2, V + m[i] * g * p[1]
        x, y = x + l[i] * sympy.cos(phi), y + l[i] * sympy.sin(phi)
    return T, V


def rp_energies(q, qd):
    """T and V of source 001's arm, the second link's center of mass anywhere in the sliding frame."""
    p = [sympy.Matrix([cx[0], cy[0]]), sympy.Matrix([q[1] + cx[1], cy[1]])]
    turn = sympy.Matrix([[sympy.cos(q[0]), -sympy.sin(q[0])], [sympy.sin(q[0]), sympy.cos(q[0])]])
    T = V = 0
    for i in range(2):
        v = (turn * p[i]).jacobian(list(q)) * sympy.Matrix(qd)
        T, V = T + m[i] * v.dot(v) / 2 + I[i] * qd[0] ** 2 / 2, V + m[i] * g * (turn * p[i])[1]
    return T, V


def screw_energies(q, qd):
    """T and V of an arm with a screw along its first link, by hand; I_2 is about the screw, I_3 across it."""
    c, s = sympy.cos(q[0]), sympy.sin(q[0])
    turn = sympy.Matrix([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    far = l[0] + l[1] * q[1]  # l_2 is the pitch
    p = [turn * sympy.Matrix([cx[0], cy[0], 0])]
    p.append(turn * sympy.Matrix([far, sympy.cos(q[1]) * cy[1], sympy.sin(q[1]) * cy[1]]))
    omega = sympy.Matrix([qd[1], sympy.sin(q[1]) * qd[0], sympy.cos(q[1]) * qd[0]])  # of body 2, in its axes
    T = I[0] * qd[0] ** 2 / 2 + sum(J * w**2 for J, w in zip((I[1], I[2], I[2]), omega)) / 2
    V = 0
    for i in range(2):
        v = p[i].jacobian(list(q)) * sympy.Matrix(qd)
        T, V = T + m[i] * v.dot(v) / 2, V + m[i] * g * p[i][1]
    return T, V


def screw():
    links = [
        rd.Link(m[0], (cx[0], cy[0], 0), sympy.diag(0, 0, I[0])),
        rd.Link(m[1], (0, cy[1], 0), sympy.diag(I[1], I[2], I[2]), "screw", (1, 0, 0), (l[0], 0, 0), pitch=l[1]),
    ]
    return rd.Arm(links, gravity=(0, -g, 0))


def planar(n):
    return rd.robots.planar(list(l[:n]), list(m[:n]), list(zip(cx, cy))[:n], list(I[:n]), gravity=g)


def rp():
    return rd.robots.rp(m[:2], (cx[0], cy[0]), (cx[1], cy[1]), I[:2], gravity=g)


def dynamic(eqs):
    """Functions of time and their derivatives for the symbols of some equations."""
    q = dynamicsymbols(f"x_1:{len(eqs.q) + 1}")
    back = dict(zip([*eqs.q, *eqs.qd], [*q, *(x.diff() for x in q)]))
    return q, back, {value: name for name, value in reversed(back.items())}


ENERGIES = {
    "2R": (planar(2), lambda q, qd: planar_energies(2, q, qd)),
    "3R": (planar(3), lambda q, qd: planar_energies(3, q, qd)),
    "RP": (rp(), rp_energies),
    "screw": (screw(), screw_energies),
}


@pytest.mark.parametrize("name", ENERGIES)
def test_derive_agrees_with_lagranges_method(name):
    """SymPy's own mechanics, from energies written by hand, gives the same M and the same C qd + g."""
    arm, energies = ENERGIES[name]
    eqs = derive(arm)
    T, V = energies(eqs.q, eqs.qd)
    q, back, forth = dynamic(eqs)
    peer = LagrangesMethod(T.xreplace(back) - V.xreplace(back), q)
    peer.form_lagranges_equations()
    rates = {x.diff(): forth[x.diff()] for x in q}
    mass, forcing = (A.xreplace(rates).xreplace(forth) for A in (peer.mass_matrix, peer.forcing))
    assert_equal(eqs.M, mass)
    assert_equal(eqs.C * eqs.qd + eqs.g, -forcing)
    assert_equal(eqs.h + eqs.g, -forcing)


@pytest.mark.parametrize("name", ENERGIES)
def test_derive_agrees_with_euler_lagrange(name):
    """An arm, and the energies of its position vectors, have one equation of motion, C included."""
    arm, energies = ENERGIES[name]
    eqs = derive(arm)
    hand = euler_lagrange(*energies(eqs.q, eqs.qd), eqs.q, eqs.qd, eqs.qdd)
    for part in ("M", "C", "h", "g", "tau"):
        assert_equal(getattr(eqs, part), getattr(hand, part))
    assert hand.extra.is_zero_matrix


@pytest.mark.parametrize("joints", ["rr", "rrr", "prp", "rrp", "rprr", "pprr", "s", "sr", "rsp", "srs"])
def test_closed_form_of_random_spatial_arm_has_the_numbers_of_the_recursions(joints):
    """derive and the recursive algorithms agree at random states; 1e-12 of the largest value."""
    rng = np.random.default_rng(len(joints))
    arm = rd.robots.random_arm(rng, len(joints), [WORDS[letter] for letter in joints])
    assert_numbers_of_the_recursions(arm, rng)


def test_closed_form_of_puma_has_the_numbers_of_the_recursions():
    arm = rd.robots.puma560()
    eqs = assert_numbers_of_the_recursions(arm, np.random.default_rng(560))
    # The noise of cos 90 degrees = 6e-17 is gone: no gravity about the vertical axis, M free of q_1 and of q_6.
    assert eqs.g[0] == 0 and not eqs.M.free_symbols & {eqs.q[0], eqs.q[5]}


def assert_numbers_of_the_recursions(arm, rng):
    eqs = derive(arm)
    values = sympy.lambdify([list(eqs.q), list(eqs.qd)], [eqs.M, eqs.C, eqs.h, eqs.g])
    for _ in range(3):
        q, qd = rng.normal(size=(2, arm.n))
        C = rd.coriolis_matrix(arm, q, qd)
        expected = rd.mass_matrix(arm, q), C, (C @ qd)[:, None], rd.gravity_torque(arm, q)[:, None]
        for ours, theirs in zip(values(q, qd), expected):
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12 * max(1, abs(theirs).max()))
    return eqs


def scaled(arm, mass, length):
    """The same arm with every mass and every length multiplied."""
    links = [
        rd.Link(
            x.mass * mass,
            x.com * length,
            x.inertia * mass * length**2,
            x.joint,
            x.axis,
            x.position * length,
            x.rotation,
            x.pitch * length,
        )
        for x in arm.links
    ]
    return rd.Arm(links, arm.gravity, arm.tip * length)


@pytest.mark.parametrize("joints", ["rrr", "rp", "prr", "rs"])
@pytest.mark.parametrize(("mass", "length"), [(1e-6, 1e-3), (1e-9, 1e-4), (1e5, 100.0)])
def test_closed_form_of_a_tiny_or_huge_arm(joints, mass, length):
    """What is rounding noise depends on the size of the arm: |M_ij| <= sqrt(M_ii M_jj) measures the error."""
    rng = np.random.default_rng(len(joints))
    arm = scaled(rd.robots.random_arm(rng, len(joints), [WORDS[letter] for letter in joints]), mass, length)
    eqs = derive(arm)
    values = sympy.lambdify([list(eqs.q), list(eqs.qd)], [eqs.M, eqs.C])
    unit = np.array([length if link.joint == "prismatic" else 1 for link in arm.links])
    for q, qd in rng.normal(size=(3, 2, arm.n)) * unit:
        M, C = values(q, qd)
        size = np.sqrt(np.outer(np.diag(M), np.diag(M)))
        assert (abs(M - rd.mass_matrix(arm, q)) <= 1e-12 * size).all()
        assert (abs(C - rd.coriolis_matrix(arm, q, qd)) <= 1e-12 * size * abs(qd / unit).max()).all()


def test_a_small_body_is_no_rounding_noise():
    """1e-16 kg m^2, a grain of sand, is a moment of inertia like any other, in an arm and in a Lagrangian."""
    eqs = derive(rd.Arm([rd.Link(1e-9, inertia=1e-16 * np.eye(3))]))
    assert eqs.M[0, 0] == sympy.Float(1e-16)
    q, qd = sympy.symbols("q qd", real=True)
    assert euler_lagrange(sympy.Float(5e-17) * qd**2, 0, [q], [qd]).M[0, 0] == sympy.Float(1e-16)


def test_symbolic_twist_folds_by_pythagoras():
    """A 3-D arm with a symbol as DH twist: sin^2 + cos^2 = 1 of the twist, too; agreement with RNEA on symbols."""
    alpha, a, d = sympy.symbols("alpha a d", real=True)
    inertias = [np.diag(row) for row in (sympy.symbols(f"J_{i}_1:4", positive=True) for i in (1, 2))]
    arm = rd.Arm.from_dh(
        [(a, alpha, d, 0), (a, 0, 0, 0)],
        masses=m[:2],
        coms=[(0, 0, 0), (cx[1], 0, 0)],
        inertias=inertias,
        gravity=(0, 0, -g),
    )
    eqs = derive(arm)
    assert not (eqs.M.atoms(sympy.Pow) | eqs.C.atoms(sympy.Pow)) & {sympy.sin(alpha) ** 2}
    assert_equal(eqs.tau, rd.inverse_dynamics(arm, eqs.q, eqs.qd, eqs.qdd))


@pytest.mark.parametrize("power", range(1, 8))
def test_powers_of_a_twist_fold_by_the_binomial_theorem(power):
    """sin^(2k + r) = (1 - cos^2)^k sin^r of a parameter, beside other powers: the value stays, and no square of the sine."""
    alpha, q, qd = sympy.symbols("alpha q qd", real=True)
    weight = sympy.sin(alpha) ** power * (2 + sympy.cos(alpha) ** 3) + 3
    M = euler_lagrange(weight * qd**2 / 2, 0, [q], [qd]).M
    assert_equal(M, sympy.Matrix([weight]))
    assert not {x for x in M.atoms(sympy.Pow) if x.base == sympy.sin(alpha)}


def test_one_twist_at_several_joints():
    """A table that names one angle three times: powers up to the fourth of its sine; agreement with RNEA on symbols."""
    alpha, a = sympy.symbols("alpha a", real=True)
    arm = rd.Arm.from_dh([(a, alpha, 0, 0)] * 3, masses=m, coms=[(c, 0, 0) for c in cx], gravity=(0, 0, -g))
    eqs = derive(arm)
    assert_equal(eqs.M, rd.mass_matrix(arm, eqs.q))
    assert_equal(eqs.g, rd.gravity_torque(arm, eqs.q))


@pytest.mark.parametrize("name", ENERGIES)
def test_mass_matrix_rate_minus_twice_c_is_skew(name):
    """dM/dt - 2 C is skew for the Christoffel choice: power balance for every velocity."""
    eqs = derive(ENERGIES[name][0])
    N = sum((eqs.M.diff(x) * rate for x, rate in zip(eqs.q, eqs.qd)), sympy.zeros(len(eqs.q))) - 2 * eqs.C
    (value,) = numbers(N)
    np.testing.assert_allclose(value, -value.T, **CLOSE)


# ---- short formulas -------------------------------------------------------------------------------------------------


def test_formula_of_two_link_arm_is_the_textbook_one():
    """Spong, Hutchinson and Vidyasagar (2006), section 7.4: h = -m_2 l_1 l_c2 sin q_2, and the terms as printed there."""
    eqs = derive(rd.robots.two_link(symbolic=True))
    l_1, l_c1, l_c2, m_1, m_2, I_1, I_2, G = (
        sympy.Symbol(x, positive=True) for x in ("l_1", "l_c1", "l_c2", "m_1", "m_2", "I_1", "I_2", "g")
    )
    (q_1, q_2), (u_1, u_2) = eqs.q, eqs.qd
    c2, s2 = sympy.cos(q_2), sympy.sin(q_2)
    k = -m_2 * l_1 * l_c2 * s2
    assert eqs.M[0, 0] == m_1 * l_c1**2 + m_2 * (l_1**2 + l_c2**2 + 2 * l_1 * l_c2 * c2) + I_1 + I_2
    assert eqs.M[1, 1] == m_2 * l_c2**2 + I_2
    assert sympy.Matrix([[k * u_2, k * (u_1 + u_2)], [-k * u_1, 0]]) == eqs.C.as_mutable()
    assert eqs.h == sympy.ImmutableMatrix([k * u_2 * (2 * u_1 + u_2), -k * u_1**2])
    assert eqs.g[1] == m_2 * l_c2 * G * sympy.cos(q_1 + q_2)
    assert sympy.latex(eqs.qdd[0]) == r"\ddot{q}_{1}"


def test_every_formula_is_an_ordinary_expression():
    """Rebuilding an expression from its arguments gives an equal one, and LaTeX, subs and diff work."""
    eqs = derive(planar(3))
    for entry in (*eqs.M, *eqs.C, *eqs.h, *eqs.g, *eqs.tau):
        rebuilt = entry.subs(g, 2 * g).subs(g, g / 2)
        assert_equal(sympy.Matrix([entry]), sympy.Matrix([rebuilt]))
        assert sympy.latex(entry) and sympy.sstr(entry)
    assert_equal(eqs.M.diff(eqs.q[1]).T, eqs.M.diff(eqs.q[1]))


def test_operations_stay_few():
    """M, C qd and g of three links with general centers of mass: LagrangesMethod needs over 2000 operations."""
    eqs = derive(planar(3))
    assert sum(int(sympy.count_ops(A)) for A in (eqs.M, eqs.h, eqs.g)) < 500


def test_parameters_that_are_no_symbols():
    """Roots and quotients of parameters pass through, floats stay floats, whole floats become whole."""
    a = sympy.Symbol("a", positive=True)
    eqs = derive(rd.robots.planar([sympy.sqrt(a), 2.0], [1 / a, 0.5 * a + 0.1], gravity=9.81))
    T, V = planar_energies(2, eqs.q, eqs.qd)
    there = {l[0]: sympy.sqrt(a), cx[0]: sympy.sqrt(a), l[1]: 2, cx[1]: 2, m[0]: 1 / a, m[1]: 0.5 * a + 0.1, g: 9.81}
    there.update(dict.fromkeys((*I, *cy), 0))
    hand = euler_lagrange(T.subs(there), V.subs(there), eqs.q, eqs.qd, eqs.qdd)
    assert_equal(eqs.tau, hand.tau)


def test_names_of_coordinates():
    eqs = derive(rd.robots.rp(symbolic=True), q="theta r")
    assert [str(x) for x in (*eqs.q, *eqs.qd, *eqs.qdd)] == ["theta", "r", "thetadot", "rdot", "thetaddot", "rddot"]
    x = sympy.symbols("x y")
    assert list(derive(rd.robots.rp(symbolic=True), q=x).q) == list(x)
    assert all(x.is_real for x in (*eqs.q, *eqs.qd, *eqs.qdd))


# ---- any Lagrangian -------------------------------------------------------------------------------------------------


def left_hand_side(L, q):
    """d/dt dL/dq' - dL/dq of functions of time, by definition."""
    time = q[0].args[0]
    return sympy.Matrix([L.diff(x.diff(time)).diff(time) - L.diff(x) for x in q]).doit()


def assert_is_left_hand_side(eqs, L, q):
    time = q[0].args[0]
    flat = {x.diff(time, k): sympy.Symbol(f"{x.func}{k}") for x in q for k in (2, 1, 0)}
    tau, expected = eqs.tau, left_hand_side(L, q)
    for f, name in flat.items():
        tau, expected = tau.subs(f, name), expected.subs(f, name)
    assert_equal(tau, expected)


x, theta = (sympy.Function(name)(t) for name in ("x", "theta"))
k, w, c = sympy.symbols("k w c", positive=True)
LAGRANGIANS = {
    "cart and pendulum": (
        m[0] * x.diff(t) ** 2 / 2
        + m[1] * ((x + l[0] * sympy.sin(theta)).diff(t) ** 2 + (l[0] * sympy.cos(theta)).diff(t) ** 2) / 2,
        -m[1] * g * l[0] * sympy.cos(theta),
        True,
    ),
    "an angle outside of sines": (
        I[0] * theta.diff(t) ** 2 / 2 + m[0] * x.diff(t) ** 2 * sympy.exp(-x) / 2,
        k * theta**2 / 2 + sympy.cos(theta) + 1 / x,
        True,
    ),
    "half angles": (m[0] * (2 + sympy.cos(theta / 2)) * theta.diff(t) ** 2 + x.diff(t) ** 2, k * x**2, True),
    "a turning frame": (m[0] * (x.diff(t) ** 2 + (w * x) ** 2) / 2 + theta.diff(t) ** 2 / 2, k * x**2 / 2, False),
    "gyroscopic": (
        (x.diff(t) ** 2 + theta.diff(t) ** 2) / 2 + w * (x * theta.diff(t) - 3 * x**2 * x.diff(t)),
        sympy.Integer(0),
        False,
    ),
    "explicit time": (
        m[0] * (x.diff(t) + w * sympy.cos(w * t)) ** 2 * (1 + t) / 2 + theta.diff(t) ** 2 / 2,
        x * sympy.sin(t),
        False,
    ),
    "relativistic": (
        -m[0] * c**2 * sympy.sqrt(1 - x.diff(t) ** 2 / (9 * c) ** 2) + theta.diff(t) ** 4,
        k * x**2 / 2,
        True,
    ),
    "velocity in the potential": (
        (x.diff(t) ** 2 + theta.diff(t) ** 2) / 2,
        w * theta * x.diff(t) + k * x**2 + x * theta.diff(t) ** 2 / 5,
        False,
    ),
}


@pytest.mark.parametrize("name", LAGRANGIANS)
def test_any_lagrangian_gives_its_left_hand_side(name):
    """tau is d/dt dL/dqd - dL/dq by definition; M, C, g alone are complete where there is no time, no linear term."""
    T, V, is_complete = LAGRANGIANS[name]
    eqs = euler_lagrange(T, V, [x, theta])
    assert list(eqs.qd) == [x.diff(t), theta.diff(t)] and list(eqs.qdd) == [x.diff(t, 2), theta.diff(t, 2)]
    assert_is_left_hand_side(eqs, T - V, [x, theta])
    assert (eqs.extra == sympy.zeros(2, 1)) == is_complete


def test_explicit_time_with_symbols():
    """A mass that grows: d/dt(m(t) qd) = m qdd + m' qd."""
    q, u, a = sympy.symbols("q qdot qddot")
    eqs = euler_lagrange((1 + t**2) * u**2 / 2, 0, q, u, a, t=t)
    assert sympy.expand(eqs.tau[0] - (1 + t**2) * a - 2 * t * u) == 0


# ---- C(q, qd) qd in other forms -------------------------------------------------------------------------------------


def random_mass_matrix(n, seed):
    rng, q = np.random.default_rng(seed), sympy.symbols(f"q_1:{n + 1}")
    A = [[sum(int(rng.integers(-3, 4)) * f(x) for x in q for f in (sympy.sin, sympy.cos)) for _ in q] for _ in q]
    A = sympy.Matrix(A)
    return A + A.T, q, sympy.symbols(f"u_1:{n + 1}")


@pytest.mark.parametrize("n", [2, 3, 4])
def test_every_form_is_one_vector(n):
    """V(q, qd) = V_m qd = C [qd^2] + B [qd qd] for a random symmetric M(q); dM/dt - 2 V_m is skew for one V_m only."""
    M, q, u = random_mass_matrix(n, n)
    V, C, B = standard_form(M, q, u), *squares_and_products_form(M, q)
    assert B.shape == (n, n * (n - 1) // 2) and not (C.free_symbols | B.free_symbols) & set(u)
    rate = sum((M.diff(x) * v for x, v in zip(q, u)), sympy.zeros(n))
    definition = rate * sympy.Matrix(u) - sympy.Matrix(
        [(sympy.Matrix(u).T * M.diff(x) * sympy.Matrix(u))[0] / 2 for x in q]
    )
    for form in (
        V,
        C * squares(u) + B * products(u),
        christoffel(M, q, u) * sympy.Matrix(u),
        bracket(M, q, u) * sympy.Matrix(u),
    ):
        assert_equal(form, definition)
    for choice, is_skew in (("christoffel", True), ("bracket", False)):
        (N,) = numbers(rate - 2 * matrix_form(M, q, u, choice))
        assert np.allclose(N, -N.T, **CLOSE) == is_skew
    Gamma = christoffel_symbols(M, q)
    assert all(Gamma[i, j, k] == Gamma[i, k, j] for i in range(n) for j in range(n) for k in range(n))


def test_products_come_in_reading_order():
    u = sympy.symbols("u_1:5")
    assert list(products(u)) == [u[i] * u[j] for i, j in ((0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3))]


def test_bracket_of_source_004_differs_from_christoffel():
    """2R arm, m2 l1 lc2 = 1, theta2 = pi/2, both rates 1: two matrices, one product (erratum S4-E10)."""
    eqs = derive(rd.robots.two_link(symbolic=True))
    there = {**{x: 1 for x in eqs.M.free_symbols if x not in eqs.q}, eqs.q[1]: sympy.pi / 2, **dict.fromkeys(eqs.qd, 1)}
    half = sympy.Rational(1, 2)
    B, C = (matrix_form(eqs.M, eqs.q, eqs.qd, choice).subs(there) for choice in ("bracket", "christoffel"))
    assert sympy.Matrix([[-2, -1], [half, half]]) == B.as_mutable()
    assert sympy.Matrix([[-1, -2], [1, 0]]) == C.as_mutable() == eqs.C.subs(there).as_mutable()
    assert B * sympy.ones(2, 1) == C * sympy.ones(2, 1) == sympy.ImmutableMatrix([-3, 1])


# ---- bad input ------------------------------------------------------------------------------------------------------

a, b, da, db = sympy.symbols("a b da db")
BAD = [
    (lambda: euler_lagrange(da**2, a, a), "qd must be given when q holds symbols"),
    (lambda: euler_lagrange(da**2, a, [a, b], [da]), "qd must have 2 entries, one for each coordinate, got 1"),
    (lambda: euler_lagrange(da**2, a, [a, a], [da, db]), "q, qd and qdd must be distinct symbols"),
    (lambda: euler_lagrange(da**2, a, [2 * a], [da]), r"q must hold symbols, got \[2\*a\]"),
    (lambda: euler_lagrange(da**2 * db, a, a, da, db), "T and V must not depend on accelerations"),
    (lambda: euler_lagrange(x.diff(t, 2), 0, [x]), "T and V must not hold second derivatives of q"),
    (lambda: euler_lagrange(x.diff(t), 0, [x], [da]), "qd and qdd must be left out when q holds functions of time"),
    (lambda: euler_lagrange(x.diff(t), 0, [x, a]), "q must hold functions of one time, all of them or none"),
    (lambda: euler_lagrange(da**2, 1 / da, a, da), "V must be finite at qd = 0"),
    (lambda: derive(rd.robots.two_link(symbolic=True), q="l_1 b"), "must not have the name of a parameter, got l_1"),
    (lambda: derive(rd.robots.two_link(symbolic=True), q="b"), "q must name 2 coordinates, one for each joint, got 1"),
    (lambda: derive(rd.robots.two_link(symbolic=True), q=("b", 3)), "q must hold symbols"),
    (
        lambda: christoffel([[1, a], [2 * a, 1]], [a, b], [da, db]),
        "M must be symmetric, got different entries 2, 1 and 1, 2",
    ),
    (lambda: christoffel([[1, a]], [a, b], [da, db]), r"M must have shape \(2, 2\) for 2 coordinates, got \(1, 2\)"),
    (lambda: christoffel([[1, a], [a, 1]], [a, b], [da]), "qd must have 2 entries, one for each coordinate, got 1"),
    (lambda: christoffel([[1]], [2 * a], [da]), r"q must hold symbols, got 2\*a"),
    (lambda: matrix_form([[1]], [a], [da], "other"), 'choice must be "christoffel" or "bracket", got \'other\''),
]


@pytest.mark.parametrize("call, sentence", BAD)
def test_what_cannot_be_says_so(call, sentence):
    with pytest.raises(ValueError, match=sentence):
        call()


def test_christoffel_takes_a_symmetric_matrix_in_two_writings():
    """M_12 = a (b + 1) and M_21 = a b + a are one function: symmetry is decided by evaluation."""
    C = christoffel([[1, a * (b + 1)], [a * b + a, 1]], [a, b], [da, db])
    assert_equal(C, christoffel([[1, a * b + a], [a * b + a, 1]], [a, b], [da, db]))
