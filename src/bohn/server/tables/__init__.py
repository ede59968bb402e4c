"""The tables in play: commands in, committed batches out, to each viewer what he may see."""
