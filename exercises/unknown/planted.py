"""Wrong answers to the questions of "unknown", and words that the check should find for each: material for tests."""
WRONG={}
