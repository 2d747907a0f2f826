"""Making a drive fresh, and checking that it is."""
