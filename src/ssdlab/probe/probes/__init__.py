"""The probes, one file each, and their registry."""
