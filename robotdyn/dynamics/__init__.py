"""The readable algorithms: kinematics, energy, dynamics (recursive, link by link, planar), forces, one rigid body,
momentum, sensors, the task space, inverse and differential kinematics.

Files: kinematics, energy, recursive, minimal_operations, by_links, planar, rigid_body, momentum, forces, constraints,
flexible, sensors, task_space, derivatives, inverse_kinematics, closed_form_kinematics, differential_kinematics.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
