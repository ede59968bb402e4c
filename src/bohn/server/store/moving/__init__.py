"""`bohn move`: all that is stored, from a SQLite file into PostgreSQL or back.

Nobody may serve either database meanwhile. A target in which a move has broken off is refused by every
server until the same move is run again: it goes on behind the last batch of each log. At the end both
databases are read once more and compared, row by row.
"""
