"""Results of other programs, read into values: one file a program."""
