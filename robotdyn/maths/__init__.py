"""What a scalar, a rotation, a rigid motion and a spatial vector can do, and checks of input.

Files: namespace, batch, rotations, motions, spatial, validate, completion.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
