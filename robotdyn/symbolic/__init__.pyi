# The files of this room that are parts of robotdyn, loaded when first used.
from . import lagrange as lagrange
