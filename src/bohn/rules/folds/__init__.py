"""The folds: for each kind of event the function that turns one state into the next."""
