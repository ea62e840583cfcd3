"""What the torques of an arm tell of its masses: a motion that excites them, a recording, estimates of what can be known.

The way from a robot to its parameters:  excite -> Recording or read_csv -> filtered -> identify -> physical_parameters.
Files: regressor, parameters, base_parameters, transfers, grouping_in_words, excitation, recording, csv_files, estimate,
sums, report, physical, payload.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
