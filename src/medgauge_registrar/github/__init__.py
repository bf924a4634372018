"""GitHub: events and facts in, comment and status out. PyGithub lives here and nowhere else."""
