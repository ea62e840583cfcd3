"""What an arm is and where it comes from.

Files: joints, arm, checks, dh, urdf, robots, picture.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
