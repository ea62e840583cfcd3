"""The readable algorithms: kinematics, energy, dynamics (recursive, link by link, planar), forces, one rigid body,
sensors, the task space.

Files: kinematics, energy, recursive, by_links, planar, rigid_body, forces, constraints, flexible, sensors, task_space, derivatives.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
