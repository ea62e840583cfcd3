"""The readable algorithms: kinematics, energy, recursive dynamics, dynamics by links, forces, one rigid body.

Files: kinematics, energy, recursive, by_links, planar, rigid_body, forces, derivatives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
