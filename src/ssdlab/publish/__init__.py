"""A copy of a run for others: the same numbers, without who and where."""
