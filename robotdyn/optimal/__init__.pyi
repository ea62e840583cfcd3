# The modules of this subpackage that are parts of robotdyn, loaded when first used.
from . import costs as costs
from . import linearization as linearization
from . import riccati as riccati
from . import trajectories as trajectories
