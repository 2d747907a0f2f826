"""Sustained writes: passes, records, retention."""
