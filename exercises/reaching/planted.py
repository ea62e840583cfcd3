"""Wrong answers to the questions of "reaching", and words that the check should find for each: material for tests."""

WRONG = {}
