"""Equations as formulas: from energies to M, C and g in SymPy.

Files: lagrange, equations, christoffel, trigpoly, trig_arm, formulas.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
