"""Figures of sustained writes."""
