"""A browser, and a page with one moving figure in it; hypothesis repeats itself."""

import pytest
from browsing import browser  # noqa: F401  (a fixture)


@pytest.fixture
def shown(browser, tmp_path):  # noqa: F811
    """A function that opens a page with one moving figure; whatever went wrong in it fails the test at its end."""
    from figure_pages import figure_opener

    yield from figure_opener(browser, tmp_path)
