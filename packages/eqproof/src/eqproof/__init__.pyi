# The public names of eqproof, each with the file that it lives in; `__init__.py` loads them from here.
from .algebra import skew as skew
from .bindings import Bindings as Bindings
from .chapter import Chapter as Chapter
from .checked import checked as checked
from .decide import check as check
from .errors import ProofError as ProofError
from .parser import parse as parse
from .quantities import abbreviation as abbreviation
from .quantities import abbreviations as abbreviations
from .quantities import family as family
from .quantities import field as field
from .quantities import letters as letters
from .quantities import measure as measure
from .quoted import quoted as quoted
