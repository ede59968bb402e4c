"""What `bench.arena_on_ray` is made of: machines that are pretended here, and how they end."""
