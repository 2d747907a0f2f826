"""Logs of external power meters, each format a module and a line in `readers`."""
