"""The readable algorithms: kinematics, energy, recursive dynamics, forces, flexible joints, constraints, one rigid body.

Files: kinematics, energy, recursive, planar, rigid_body, forces, flexible, constraints, derivatives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
