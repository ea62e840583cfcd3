"""The readable algorithms: kinematics, energy, recursive dynamics, forces.

Files: kinematics, energy, recursive, planar, forces.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, ["forces", "planar"])
