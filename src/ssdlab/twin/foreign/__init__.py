"""Twins of drives that another program measured."""
