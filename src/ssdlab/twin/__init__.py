"""Virtual drives that behave like a drive that was measured."""
