"""The analyses of the lab on series that somebody else recorded."""
