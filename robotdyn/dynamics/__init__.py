"""The readable algorithms: kinematics, energy, recursive dynamics, forces.

Files: kinematics, energy, recursive, planar, forces, derivatives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
