"""Checks of each result, from a bundle or from anybody's fio JSON."""
