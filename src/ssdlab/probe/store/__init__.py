"""Probes in a bundle: written and read."""
