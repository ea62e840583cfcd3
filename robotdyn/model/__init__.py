"""What a body and an arm are and where they come from.

Files: joints, link, arm, body, bodies, checks, dh, screws, urdf, urdf_file, urdf_text, floating, robots, named, picture, meshes, reduced_links,
possible_inertia, locked.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
