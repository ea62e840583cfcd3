"""Sentences of the page "From least squares to Riccati" on the work, by counting products."""


def test_how_much_work():
    """For seven joints and ten seconds at a hundred steps a second this is the difference between 8 10^11 multiplications
    and 10^7."""
    for joints in (1, 3, 7, 20):
        d, D, T = joints, 2 * joints, 1000
        solved, formed = (d * T) ** 3 / 3, D * T * (d * T) ** 2
        assert round(formed / solved) == 6  # six times as many
        shapes = [(D, D, d), (d, D, d), (d, D, D), (d, d, D), (D, d, D), (D, D, D), (D, D, D)]  # products of a step
        recursion = T * (sum(a * b * c for a, b, c in shapes) + d**3 / 3)
        if joints == 7:
            assert f"{solved + formed:.0e}" == "8e+11"
            assert f"{recursion:.0e}" == "1e+07"
