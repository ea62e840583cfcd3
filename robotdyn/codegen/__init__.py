"""Texts become fast programs: trace, differentiate, print, compile; knows no algorithm by name.

Files: trace, program, differentiation, parameters, expressions, specialize, specialized, cache, matrix_loops, targets.
"""
