"""Metrics of finished steps, one file a kind of step."""
