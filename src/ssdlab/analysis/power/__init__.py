"""Power that an external meter recorded: its clock fitted to that of the run, and what each step drew."""
