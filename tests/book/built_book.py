"""The built book, as a folder and over http, for the tests that look at it."""

import browsing
import pytest

from bookbuild import build_book


@pytest.fixture(scope="module")
def book():
    """The folder of the built book."""
    if not build_book.is_up_to_date():
        pytest.skip("the book is not built, or older than its sources: `make book` builds it")
    return browsing.HTML


@pytest.fixture(scope="module")
def site(book):
    """The built book over http, at an address of this machine."""
    with browsing.served(book) as address:
        yield address
