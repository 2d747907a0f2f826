"""fio as an engine: job file, process, output."""
