"""What the torques of an arm tell of its masses: regressors, parameters, and which combinations of them can be known.

Files: regressor, parameters, base_parameters, transfers, grouping_in_words.
"""
