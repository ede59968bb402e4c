"""Computer players: each decides from a view, its choices and its knowledge, and nothing else."""
