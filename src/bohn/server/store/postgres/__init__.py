"""The store in PostgreSQL, for several processes at once; needs the extra ``bohn[postgres]``."""
