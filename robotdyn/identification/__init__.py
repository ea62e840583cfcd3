"""Identification of an arm's inertial parameters from its torques: a motion that excites them, a recording, estimates of what can be known.

The way from a robot to its parameters:  excite -> Recording or read_csv -> filtered -> identify -> physical_parameters.
Files: regressor, parameters, base_parameters, inertia_transfer, base_parameter_format, excitation, recording,
csv_files, csv_cells, csv_columns, csv_names, csv_units, csv_clock, estimate, normal_equations, report, physical, payload.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
