"""The command line: bohn play, scenarios, rules and the rest."""
