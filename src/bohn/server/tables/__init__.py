"""The tables in play: commands in, committed batches out, to each viewer what he may see.

A command on its way into the log passes

1. :meth:`service.TableService.execute` (or ``execute_for_bot``): the table is loaded, the user admitted, and
   the command becomes a :class:`plan.Request`;
2. :meth:`log.TableLog.submit`: in a task of its own, so that nobody who leaves stops it, it waits for those
   who accept the same offer (:mod:`gathering`);
3. :meth:`log.TableLog.do`: one at a time for each table, it is decided (:meth:`plan.Planner.plan`, pure),
   appended at ``seq + 1``, acknowledged, and then shown to everybody (:class:`viewers.Viewers`); clocks and
   bots are told.

Where several workers share the store, :mod:`leases` tells whose business clocks and bots of a table are, and
:mod:`company` hears what the others commit and tell (:mod:`notices`).

The log is the truth: where another process was quicker, the missing rows are read and shown, and it is
decided anew. What clocks (:mod:`clocks`) and the server itself (:mod:`upkeep`) decide enters at the third
step, as does the next table of a company (:mod:`lobby`, which also opens the others). No other module writes
rows.

Pure: :mod:`snapshot` (a table folded from its log), :mod:`shown`, :mod:`plan`, :mod:`writes`, :mod:`midgame`,
:mod:`viewpoint`. In memory: :mod:`loaded`, :mod:`loading`, :mod:`audience`, :mod:`background`.
:mod:`archive` has the games that are over. :mod:`service` puts the parts together; none of them knows it.
"""
