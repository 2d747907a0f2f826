"""Figures of the consumer suites."""
