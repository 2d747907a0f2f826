"""Anybody's fio logs: counts, percentiles and series."""
