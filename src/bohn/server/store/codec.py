"""Structs to columns; the way back is in the queries (:mod:`bohn.server.store.statements`)."""

from __future__ import annotations

from typing import Any

import msgspec

from bohn.server.store.protocol import ChatLine, Link, Listing, LogRow, RecordHead, Report, Session, User

_encode = msgspec.json.Encoder().encode

Columns = tuple[Any, ...]


def row_columns(row: LogRow) -> Columns:
    """Return the columns of ``log``; command and events as JSON bytes."""
    return (
        row.table,
        row.seq,
        row.at,
        row.actor,
        row.command_id,
        row.digest,
        row.cause,
        _encode(row.command),
        _encode(row.events),
    )


def users_text(listing: Listing) -> str:
    """Return the users of a listing as JSON."""
    return _encode(listing.users).decode()


def listing_columns(listing: Listing) -> Columns:
    """Return the columns of ``listings``."""
    return (
        listing.table,
        listing.status,
        listing.options.listed,
        _encode(listing.options).decode(),
        listing.host,
        users_text(listing),
        listing.bots,
        listing.opened,
        listing.moved,
        _encode(listing.seats).decode(),
        None if listing.result is None else _encode(listing.result).decode(),
        listing.origin,
        listing.lesson,
    )


def user_columns(user: User) -> Columns:
    """Return the columns of ``users``."""
    return (user.id, user.name, user.language, user.created, user.bot, user.maker)


def session_columns(session: Session) -> Columns:
    """Return the columns of ``sessions``."""
    return (
        session.digest,
        session.user,
        session.created,
        session.cookie,
        _encode(session.scopes).decode(),
        session.label,
        session.used,
    )


def link_columns(link: Link) -> Columns:
    """Return the columns of ``links``."""
    return (link.digest, link.id, link.created_by, link.created, link.expires, link.table, link.user)


def line_columns(line: ChatLine) -> Columns:
    """Return the columns of ``chat``."""
    return (line.table, line.id, line.user, line.at, line.text, line.key)


def record_columns(head: RecordHead, text: bytes) -> Columns:
    """Return the columns of ``records``."""
    return (head.id, head.user, head.at, head.size, head.about, text)


def report_columns(report: Report) -> Columns:
    """Return the columns of ``reports``, without the number that the database gives."""
    return (
        report.table,
        report.line,
        report.by,
        report.against,
        report.at,
        report.text,
        report.reason,
    )
