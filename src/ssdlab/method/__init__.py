"""Suites as data: their schema, the built-in ones, and their expansion into a plan."""
