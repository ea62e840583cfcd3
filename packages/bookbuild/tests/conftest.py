"""The built book, where a test of the tools looks at it."""

from built_book import book  # noqa: F401  (a fixture)
