"""Many games fast: the floor that asks each seat in turn, and playouts."""
