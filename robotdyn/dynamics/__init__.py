"""The readable algorithms: kinematics, energy, recursive dynamics, forces, one rigid body, inertial sensors, task space.

Files: kinematics, energy, recursive, planar, rigid_body, forces, sensors, task_space, derivatives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
