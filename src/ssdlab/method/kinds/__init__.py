"""Kinds of steps of a suite, one module each: table, faults, planned steps."""
