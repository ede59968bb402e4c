"""How `strong` learns what an exchange is worth: positions, their value, forks, the table of advantages."""
