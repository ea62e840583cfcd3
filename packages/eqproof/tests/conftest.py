"""Hypothesis repeats itself, and waits for a slow machine, also where these tests run alone; each test has caches of its own."""

import pytest
from hypothesis import settings

settings.register_profile("alone", deadline=None, derandomize=True)
if settings.get_current_profile_name() == "default":
    settings.load_profile("alone")


@pytest.fixture(autouse=True)
def own_caches(tmp_path_factory, monkeypatch):
    """No test takes a verdict that another run has kept, or keeps one for it."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("caches")))
