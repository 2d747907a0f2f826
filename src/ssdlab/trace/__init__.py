"""Recorded I/O: what others recorded taken in, looked at, cut, exported, made anonymous."""
