# The modules of this subpackage that are parts of robotdyn, loaded when first used.
from . import by_links as by_links
from . import constraints as constraints
from . import differential_kinematics as differential_kinematics
from . import flexible as flexible
from . import forces as forces
from . import inverse_kinematics as inverse_kinematics
from . import planar as planar
from . import rigid_body as rigid_body
from . import sensors as sensors
from . import task_space as task_space
