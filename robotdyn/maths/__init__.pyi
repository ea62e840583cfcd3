# The modules of this subpackage that are parts of robotdyn, loaded when first used.
from . import motions as motions
from . import rotations as rotations
from . import spatial as spatial
