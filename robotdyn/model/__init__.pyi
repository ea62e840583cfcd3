# The modules of this subpackage that are parts of robotdyn, loaded when first used.
from . import bodies as bodies
from . import robots as robots
