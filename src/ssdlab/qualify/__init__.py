"""Drives held against limits and against their siblings: which pass, and which of a batch is not like the others."""
