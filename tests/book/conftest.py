"""The built book, and a browser to open it."""

from browsing import browser  # noqa: F401  (a fixture)
from built_book import book, site  # noqa: F401  (fixtures)
