# The files of this room that are parts of robotdyn, loaded when first used.
from . import constraints as constraints
from . import flexible as flexible
from . import forces as forces
from . import planar as planar
from . import rigid_body as rigid_body
