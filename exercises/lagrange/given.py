"""What a notebook of "lagrange" is given: each student's own cart and pendulum, the states at which a function is called."""


def parameters(draw):
    """Return the cart and the pendulum of one student."""
    cart, bob = draw.until(lambda: (draw.rounded(0.8, 3.0), draw.rounded(0.2, 1.5)), lambda a, b: abs(a - b) > 0.03 * b)
    return {"cart": cart, "bob": bob, "length": draw.rounded(0.3, 1.2)}


def states(p, draw):
    """Return positions and rates."""
    return [(draw.vector(2, -2, 2), draw.vector(2, -3, 3)) for _ in range(6)]


CALLED = {"energy": {"inputs": states}}
