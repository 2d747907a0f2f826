"""Runs a plan: journal, live progress, clean ends."""
