"""What a notebook of "bodies" is given: each student's own turns, arm, block, misprint and brick, the states of functions."""

import math

from coursework.check import vectors
from coursework.lazy_numpy import np

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
INCLINED = (
    (3**0.5, 1.0, 2**0.5),
    (-(3**0.5), 1.0, 2**0.5),
    (0.0, -2.0, 2**0.5),
)  # rotation times root of 6: the third axis is (1, 1, 1)
PRINTED = (  # the rates of R and w as four misprints have them
    ("skew(w) @ R", "(R.T @ n - np.cross(w, L)) / I"),
    ("R @ skew(w)", "(R.T @ n + np.cross(w, L)) / I"),
    ("R @ skew(w)", "(n - np.cross(w, L)) / I"),
    ("R @ skew(w)", "(R @ n - np.cross(w, L)) / I"),
)
LISTING = """
def rates(R, w, n):
    L = I * w
    return {{"R": {0}, "w": {1}}}
"""


def parameters(draw):
    """Return two turns, a pose, an arm with a slide, a block and its hole, a misprinted program of a body, a brick."""
    slide, second, third = draw.choice((1, 2)), draw.choice(AXES[:2]), draw.choice(AXES)
    axes = [AXES[2], *(tuple(sign * x for x in axis) for axis, sign in zip((second, third), _signs(draw, 2)))]
    return {
        "turns": (draw.rounded(0.9, 1.6), draw.rounded(0.9, 1.6)),
        "pose": _pose(*draw.until(lambda: _screw(draw), _is_clear)),
        "kinds": tuple("slide" if k == slide else "hinge" for k in range(3)),
        "axes": tuple(axes),
        "points": tuple(tuple(draw.rounded(0.1, 0.5) for _ in range(3)) for _ in range(3)),
        "tip": tuple(draw.rounded(0.6, 1.2) for _ in range(3)),
        "block": (draw.rounded(0.20, 0.21, 3), draw.rounded(0.12, 0.13, 3), draw.rounded(0.04, 0.08, 3)),
        "hole": (draw.rounded(0.037, 0.041, 4), *(s * draw.rounded(*r, 4) for s, r in zip(_signs(draw, 2), ((0.055, 0.058), (0.014, 0.018))))),
        "density": draw.rounded(2600, 2900, 0),
        "moments": tuple(draw.rounded(low, low + 0.3) for low in (1.0, 1.5, 2.0)),
        "listing": LISTING.format(*draw.choice(PRINTED)),
        "brick": tuple(draw.rounded(low, low + 0.02, 3) for low in (0.20, 0.11, 0.05)),
    }  # fmt: skip


def _signs(draw, n):
    return [draw.choice((-1, 1)) for _ in range(n)]


def _screw(draw):
    """A unit vector, an angle, a pitch, a point of the axis."""
    axis = [sign * draw.uniform(0.3, 1.0) for sign in _signs(draw, 3)]
    pitch = _signs(draw, 1)[0] * draw.uniform(0.05, 0.25)
    return [x / math.hypot(*axis) for x in axis], draw.uniform(0.7, 2.4), pitch, draw.numbers(3, -0.5, 0.5)


def _rotation(axis, angle):
    """The rotation matrix, by rows."""
    return tuple(zip(*(vectors.real(vectors.turned(axis, angle, e)) for e in AXES)))


def _pose(axis, angle, pitch, point):
    """Rotation matrix and shift of the displacement by a screw, as tuples."""
    rotation = _rotation(axis, angle)
    return rotation, tuple(s - vectors.dot(row, point) + pitch * angle * a for s, row, a in zip(point, rotation, axis))


def _is_clear(axis, angle, pitch, point):
    """Whether no typical mistake gives nearly the pitch: the whole shift, its part along z, no unit vector."""
    shift = _pose(axis, angle, pitch, point)[1]
    near = math.hypot(*shift) / angle, shift[2] / angle, sum(shift) / angle, pitch * angle
    sine = math.sin(angle)
    return all(abs(x / pitch - 1) > 0.02 for x in (*near, pitch * sine, 2 * pitch * sine))


def poses(p, draw):
    """Return joint coordinates of the arm."""
    return [(draw.vector(3, -2, 2),) for _ in range(2)]


def matrices(p, draw):
    """Return inertia matrices, as (3, 3) arrays, and matrices that look like some, in an order by chance.

    They are made of second moments of mass along three axes, of which a body has no negative one. All but those that
    should not be are exactly symmetric, and what is almost flat is so by 1e-6, far above rounding.
    """

    def wide(low=0.3, high=1.0):
        return draw.uniform(low, high)

    def outside(x, y):
        return x, y, -0.0025 * (x + y)  # the largest moment is 0.5 % larger than the sum of the others

    bodies = [
        *(_inertia(draw, (wide(), wide(), wide()), size) for size in (1e-6, 1.0, 1.0, 1e3)),
        *(_inertia(draw, (1.0, wide(0.002, 0.02), wide(0.002, 0.02))) for _ in range(2)),
        _inertia(draw, (wide(0.8), wide(0.8), 1e-6)),
        _inertia(draw, (wide(), wide(0.1, 0.2), 1e-6)),
    ]
    others = [
        _inertia(draw, outside(wide(0.8), wide(0.8))),
        _inertia(draw, outside(wide(), wide(0.05, 0.2))),
        _inertia(draw, (1.0, wide(0.5), -wide(0.1, 0.3))),
        _inertia(draw, (1.0, -wide(0.05, 0.1), -wide(0.1, 0.2))),  # a negative moment
        _inertia(draw, (wide(0.5), wide(0.5), -wide(0.1, 0.3)), 1e-6),
        np.diag((wide(2.4, 2.6), 1.0, 1.2)),
        np.diag((1.0, wide(2.4, 2.6), 1.2)) * 1e-4,
        _symmetric(np.array(INCLINED) @ np.diag((0.3, 0.4, 1.0)) @ np.transpose(INCLINED) / 6 * wide(0.5, 2.0)),
    ]
    for row, column in ((0, 1), (1, 2), (2, 0)):
        others.append(_inertia(draw, (wide(), wide(), wide())))
        others[-1][row, column] += 1e-3 * others[-1].max()
    found = bodies + others
    draw.shuffle(found)
    return [(one,) for one in found]


def _inertia(draw, second_moments, size=1.0):
    """The inertia matrix that three second moments of mass give, in axes drawn by chance."""
    axis = [sign * draw.uniform(0.3, 1.0) for sign in _signs(draw, 3)]
    R = np.array(_rotation([x / math.hypot(*axis) for x in axis], draw.uniform(0.5, 2.5)))
    moments = sum(second_moments) - np.array(second_moments)
    return _symmetric(R @ np.diag(moments) @ R.T * size * draw.uniform(0.5, 2.0))


def _symmetric(matrix):
    return (matrix + matrix.T) / 2


def turnings(p, draw):
    """Return orientations, angular velocities in body axes and moments in base axes."""
    found = []
    for _ in range(3):
        axis = draw.numbers(3, 0.3, 1.0)
        R = np.array(_rotation([x / math.hypot(*axis) for x in axis], draw.uniform(0.8, 2.4)))
        found.append((R, draw.vector(3, 0.5, 2.0), draw.vector(3, -3, -1)))
    return found


CALLED = {
    "jacobian": {"inputs": poses, "arguments": "q"},
    "real-body": {"inputs": matrices, "arguments": "I"},
    "find-the-error": {"inputs": turnings, "arguments": "R w n"},
}
