"""What `dir` and completion offer of robotdyn and of each of its parts: the public names, each of them there, and no others."""

import inspect

import pytest

import robotdyn as rd

PARTS = {name: getattr(rd, name) for name in rd.__all__ if inspect.ismodule(getattr(rd, name))}
HELPERS = (
    "check_motion",
    "slides",
    "check_rotation",
    "link_poses",
    "joint_count",
    "joint_space",
    "runner",
    "np",
    "Any",
)


@pytest.mark.parametrize("name", ["rd", *PARTS])
def test_completion_offers_the_public_names(name):
    """All that `__all__` has, without what the module imports or its files are called, also after all of it was used."""
    module = PARTS.get(name, rd)
    values = {word: getattr(module, word) for word in module.__all__}
    offered = [word for word in dir(module) if not (word.startswith("__") and word.endswith("__"))]
    assert offered == sorted(set(module.__all__)) and len(set(module.__all__)) == len(module.__all__)
    if module is not rd:
        assert not any(map(inspect.ismodule, values.values()))
        assert not set(HELPERS) & set(offered)


def test_a_name_belongs_to_one_part():
    """No part shows a function or a class of another one: it would be an import by accident."""
    homes = {}
    for name, module in PARTS.items():
        for word in module.__all__:
            value = getattr(module, word)
            if inspect.isroutine(value) or inspect.isclass(value):
                homes.setdefault(value, []).append(f"{name}.{word}")
    assert [places for places in homes.values() if len(places) > 1] == []
