"""A run on disk: the hinge between what happens once and what can be computed again."""
