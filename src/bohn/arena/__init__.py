"""The arena: matches between computer players whose numbers can be trusted."""
