"""The statements by which several workers share a database; each is one statement, so nobody stalls in it."""

from __future__ import annotations

import msgspec

from bohn.notation.records import Cause
from bohn.rules.commands import AcceptOffer
from bohn.server.store.postgres.sql import Query
from bohn.server.store.protocol import DueTimer
from bohn.server.store.shared import BUCKETS, Acceptance, Notice, Present, Taking

NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
"""The time of the database, in ms since 1970."""

TIME = f"SELECT {NOW}"

BUCKET = "get_byte(sha256(convert_to(table_id, 'UTF8')), 0)"
"""The bucket of a table, as :func:`bohn.server.store.shared.bucket_of` has it."""

KEPT = 60_000
"""Ms for which a notice is kept."""

CHANNEL = "bohn"
"""The channel on which workers ring each other."""

MAKE_LEASES = f"""
    INSERT INTO leases (bucket, worker, epoch, until, renewed)
    SELECT bucket, '', 0, 0, {NOW} FROM generate_series(0, {BUCKETS - 1}) AS bucket
    ON CONFLICT DO NOTHING
"""

RENEW = f"""
    WITH clock AS MATERIALIZED (SELECT {NOW} AS now),
    me AS (
        INSERT INTO workers (worker, label, until, formats) SELECT $1, $2, now + $3::bigint, $5 FROM clock
        ON CONFLICT (worker) DO UPDATE SET
            label = excluded.label, until = excluded.until, formats = excluded.formats
    ),
    dead AS (DELETE FROM workers USING clock WHERE worker <> $1 AND until < now - $3 RETURNING worker),
    ghosts AS (
        DELETE FROM presence WHERE worker <> $1 AND NOT EXISTS (
            SELECT 1 FROM workers, clock WHERE workers.worker = presence.worker AND workers.until >= now - $3
        )
    ),
    share AS MATERIALIZED (
        SELECT ceil({BUCKETS}.0 / (1 + count(*)))::int AS most
        FROM workers, clock WHERE worker <> $1 AND until >= now
    ),
    held AS MATERIALIZED (
        SELECT bucket, row_number() OVER (ORDER BY bucket) AS place
        FROM leases, clock WHERE worker = $1 AND until >= now
    ),
    renewed AS (
        UPDATE leases SET until = now + $3, renewed = now
        FROM held, share, clock
        WHERE leases.bucket = held.bucket AND place <= most AND leases.worker = $1
        RETURNING leases.bucket, epoch
    ),
    given AS (
        UPDATE leases SET until = 0, worker = '', renewed = now
        FROM held, share, clock
        WHERE leases.bucket = held.bucket AND place > most AND leases.worker = $1
    ),
    free AS MATERIALIZED (
        SELECT bucket, renewed AS served FROM leases, clock
        WHERE until < now
        ORDER BY bucket
        LIMIT (SELECT greatest(most - (SELECT count(*) FROM held), 0) FROM share)
        FOR UPDATE OF leases SKIP LOCKED
    ),
    taken AS (
        UPDATE leases SET worker = $1, epoch = epoch + 1, until = now + $3, renewed = now
        FROM free, clock WHERE leases.bucket = free.bucket
        RETURNING leases.bucket, epoch, now - served AS unserved
    ),
    noted AS (
        INSERT INTO takings (bucket, epoch, worker, at) SELECT bucket, epoch, $1, now FROM taken, clock
    ),
    owed AS MATERIALIZED (SELECT bucket, unserved FROM taken WHERE unserved > $4::bigint),
    timed AS (
        UPDATE timers SET due = due + unserved FROM owed
        WHERE due IS NOT NULL AND {BUCKET} = owed.bucket
    ),
    invited AS (
        UPDATE links SET expires = expires + unserved FROM owed, clock
        WHERE table_id IS NOT NULL AND expires > now - unserved AND {BUCKET} = owed.bucket
    )
    SELECT now, now + $3,
        (SELECT array_agg(ARRAY[bucket, epoch])
         FROM (TABLE renewed UNION ALL SELECT bucket, epoch FROM taken) AS have),
        (SELECT array_agg(bucket) FROM taken),
        (SELECT array_agg(bucket) FROM owed),
        (SELECT least(min(formats), $5::int) FROM workers, clock WHERE worker <> $1 AND until >= now - $3),
        (SELECT min(until) FROM leases, clock WHERE worker <> $1 AND until >= now)
    FROM clock
"""
"""Takes the worker, its label, the length of a lease, the least time that is credited, both in ms, and what
the worker knows. Whoever has not renewed counts as registered for one more length: he may only be late."""

LEAVE = f"""
    WITH gone AS (DELETE FROM workers WHERE worker = $1),
         away AS (DELETE FROM presence WHERE worker = $1)
    UPDATE leases SET until = 0, worker = '', renewed = {NOW} WHERE worker = $1
"""
WORKERS = f"SELECT worker, label FROM workers WHERE until >= {NOW}"
EPOCHS = "SELECT bucket, epoch FROM leases"
TAKINGS = Query(Taking, "bucket, epoch, worker, at", "takings ORDER BY bucket, epoch")

DUE_IN = Query(
    DueTimer,
    "table_id, key, due",
    f'timers WHERE due <= $1 AND {BUCKET} = ANY($3::int[]) ORDER BY due, table_id COLLATE "C",'
    ' key COLLATE "C" LIMIT $2',
)

_PRESENT = "table_id, worker, user_id, name, count, sign, until, turn"
SHOW_PRESENT = f"""
    INSERT INTO presence ({_PRESENT}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
    ON CONFLICT (table_id, worker, user_id) DO UPDATE SET
        name = excluded.name, count = excluded.count, sign = excluded.sign, until = excluded.until,
        turn = excluded.turn
"""
END_PRESENT = "DELETE FROM presence WHERE table_id = $1 AND worker = $2 AND user_id = $3"
_ALIVE = f"EXISTS (SELECT 1 FROM workers WHERE workers.worker = presence.worker AND workers.until >= {NOW})"
PRESENT_AT = Query(
    Present,
    _PRESENT,
    f"presence WHERE table_id = ANY($1::text[]) AND {_ALIVE}"
    ' ORDER BY table_id COLLATE "C", worker COLLATE "C", user_id COLLATE "C"',
)
ATTENDED = f"""
    SELECT DISTINCT table_id FROM presence WHERE {BUCKET} = ANY($1::int[]) AND {_ALIVE}
"""

_ACCEPTANCE = "table_id, actor, command_id, cause, user_id, offer, command, at"
_accepts = msgspec.json.Decoder(AcceptOffer)


def _acceptance(
    table: str,
    actor: str,
    command_id: str,
    cause: Cause,
    user: str | None,
    offer: int,
    command: bytes,
    at: int,
) -> Acceptance:
    return Acceptance(table, actor, command_id, cause, user, offer, _accepts.decode(command), at)


GATHER = f"""
    INSERT INTO acceptances ({_ACCEPTANCE}) VALUES ($1, $2, $3, $4, $5, $6, $7, {NOW})
    ON CONFLICT (table_id, actor, command_id) DO NOTHING
"""
GATHERED_AT = Query(_acceptance, _ACCEPTANCE, "acceptances WHERE table_id = $1 ORDER BY at, number")
GATHERING_IN = f"SELECT DISTINCT table_id FROM acceptances WHERE {BUCKET} = ANY($1::int[])"
TAKE_BACK = """
    WITH fence AS MATERIALIZED (
        SELECT 1 FROM leases WHERE bucket = $4 AND epoch = $5 FOR SHARE
    )
    DELETE FROM acceptances WHERE table_id = $1 AND actor = $2 AND command_id = $3
        AND ($5::bigint IS NULL OR EXISTS (SELECT 1 FROM fence))
"""

_COUNTED = 0x636F756E
"""The first half of the advisory locks under which is counted; the key makes the other half."""

COUNT = f"SELECT pg_advisory_lock({_COUNTED}, hashtext($1))"
COUNT_IN_TRANSACTION = f"SELECT pg_advisory_xact_lock({_COUNTED}, hashtext($1))"
COUNTED = f"SELECT pg_advisory_unlock({_COUNTED}, hashtext($1))"

NOTIFY = f"""
    WITH old AS (DELETE FROM notices WHERE at < {NOW} - {KEPT}),
         rung AS MATERIALIZED (SELECT pg_notify('{CHANNEL}', $1))
    INSERT INTO notices (worker, table_id, at, body) SELECT $1, $2, {NOW}, $3 FROM rung
"""
NOTICES = Query(
    Notice,
    "id, worker, table_id, at, body",
    "notices WHERE at >= $2 AND worker <> $1 ORDER BY id",
)
