"""Arms whose joints are coupled, by gears or as the two fingers of a gripper:  x = G q + c,  M = G^T M_x G,  tau = G^T tau_x.

x are the positions of all joints, q those of the independent ones: virtual work is the same in both, G^T tau_x . dq = tau_x . dx.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any, TypeVar, cast

from robotdyn.maths.namespace import namespace
from robotdyn.maths.validate import STATE_ARGUMENTS

F = TypeVar("F", bound=Callable[..., Any])


# where: see where joints are coupled
# every algorithm that goes through links and joints carries this: it hands in G q + c and brings results back by G^T;
# what calls only such algorithms needs nothing; `Arm.coupling` is G and c, a `<mimic>` of a URDF file a row of it
# (`robotdyn/model/urdf.py`)
def for_coupled_joints(rows: bool = False, columns: bool = False) -> Callable[[F], F]:
    """Let an algorithm f(arm, q, ..), written for joints that are free, serve an arm whose joints are coupled, too.

    It then gets the positions G q + c of all joints, their rates and accelerations.
    rows, columns: whether each row, or column, of what it returns belongs to a joint: G^T results, results G.
    """

    def marked(algorithm: F) -> F:
        signature = inspect.signature(algorithm)

        @functools.wraps(algorithm)
        def wrapped(arm: Any, *args: Any, **kwargs: Any) -> Any:
            if arm.coupling is None:
                return algorithm(arm, *args, **kwargs)
            values = signature.bind(arm, *args, **kwargs).arguments
            state = [name for name in STATE_ARGUMENTS if name in values]
            xp = namespace(arm, *(values[name] for name in state))
            G = xp.array(arm.coupling[:, :-1])
            for name in state:
                moved = G @ values[name]
                values[name] = moved + xp.array(arm.coupling[:, -1]) if name == "q" else moved
            result = algorithm(**values | {"arm": arm.uncoupled})

            def reduced(part: Any) -> Any:
                part = G.T @ part if rows else part
                return part @ G if columns else part

            return tuple(map(reduced, result)) if isinstance(result, tuple) else reduced(result)

        return cast(F, wrapped)

    return marked
