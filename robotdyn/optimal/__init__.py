"""Linearize a motion, price it, and find the best one.

Files: linearization, costs, ilqr, reach, riccati, tracking, rollout_matrix, dynamics, arm_dynamics, solution.
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach(__name__, ["costs", "tracking", "riccati", "linearization"])
