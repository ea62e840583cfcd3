# The modules of this subpackage that are parts of robotdyn, loaded when first used.
from . import lagrange as lagrange
