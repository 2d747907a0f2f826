"""Scores of drives by the traces that they replayed, against a drive that everyone has."""
