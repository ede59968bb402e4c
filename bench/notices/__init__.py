"""Many turns over several workers that are killed, and everybody told of each of them."""
