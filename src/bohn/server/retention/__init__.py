"""Retention: what is over goes after a while, in small batches and never in the way of commands.

:mod:`.goes` says what may go, :mod:`.folder` is the folder of records that finished games are written into
first, :mod:`.games` makes those records, and :mod:`.keeper` does it all, by one worker at a time.
"""
