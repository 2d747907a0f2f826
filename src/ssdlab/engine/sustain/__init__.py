"""The engine of sustained writes."""
