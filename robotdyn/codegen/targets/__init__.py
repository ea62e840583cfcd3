"""One file a target: what prints a program and runs it.

Files: python, numpy, numba, javascript.
"""
