# The files of this room that are parts of robotdyn, loaded when first used.
from . import bodies as bodies
from . import robots as robots
