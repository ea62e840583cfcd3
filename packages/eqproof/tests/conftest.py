"""Hypothesis repeats itself, and waits for a slow machine, also where these tests run alone."""

from hypothesis import settings

settings.register_profile("alone", deadline=None, derandomize=True)
if settings.get_current_profile_name() == "default":
    settings.load_profile("alone")
