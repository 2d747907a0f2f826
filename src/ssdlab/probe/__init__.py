"""Black-box inference: patterns of commands, pure estimators, answers with a grade or none."""
