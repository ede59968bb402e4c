"""What operators do: sanctions, tables that are closed, limits, and how workers follow them."""
