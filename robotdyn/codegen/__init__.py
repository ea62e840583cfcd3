"""Algorithms become fast programs: trace, differentiate, print, compile; knows no algorithm by name.

Files: tracer, trace, program, differentiation, expressions, specialize, specialized, cache, targets.
"""
