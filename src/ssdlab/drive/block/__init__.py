"""Block devices of this host: what they are, what is on them, and who uses them."""
