# What stands in rd.identification, each name with its file; the regressors and parameters are names of robotdyn itself.
from .base_parameters import BaseParameters as BaseParameters
from .csv_files import read_csv as read_csv
from .estimate import Estimate as Estimate
from .estimate import identify as identify
from .excitation import Fourier as Fourier
from .excitation import condition as condition
from .excitation import excite as excite
from .payload import payload as payload
from .physical import physical_parameters as physical_parameters
from .recording import Recording as Recording
