"""Many hosts, one queue: agents, jobs and locks on PostgreSQL, and the store of bundles."""
