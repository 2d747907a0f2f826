"""What is under test: naming it, guarding it, purging it."""
