"""Figures of the enterprise suites."""
