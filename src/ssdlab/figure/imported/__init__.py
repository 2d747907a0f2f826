"""Figures of what other programs measured."""
