# The files of this room that are parts of robotdyn, loaded when first used.
from . import costs as costs
from . import linearization as linearization
from . import riccati as riccati
