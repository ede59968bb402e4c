"""Users without accounts: guests, their cookies and tokens, and the links that open tables and devices."""

from __future__ import annotations

import base64
from collections import OrderedDict
from hashlib import sha256

from msgspec import Struct
from msgspec.structs import replace

from bohn.protocol.api import ChangeMe, LinkInfo, LinkMade, Me, NewToken, Scope, TokenInfo, TokenMade
from bohn.protocol.frames import Person
from bohn.protocol.refusals import Problem, Refusal
from bohn.server.clock import TimeSource
from bohn.server.entropy import Entropy
from bohn.server.people.names import clean_device, clean_label, clean_language, clean_name
from bohn.server.settings import Settings
from bohn.server.store.counting import Counting
from bohn.server.store.protocol import Link, Session, Store, StoreUnavailable, User

SECRET_BYTES, LINK_BYTES, ID_BYTES = 32, 16, 12
"""Random bytes of a cookie or token, of a link, and of a user's id."""

LONGEST_SECRET = 200
"""Characters of what is looked up as a secret; anything longer is none."""

TOKEN_ID = 16
"""First digits of a token's digest that are its public id; no secret follows from them."""

CACHED_NAMES = 4096
"""Users whose names are cached."""

CACHED_FOR = 30_000
"""Ms for which a name is cached; another worker that changes it says so, and may die before."""

USES_NOTED = 365
"""How often the use of a cookie is noted at most in the time it holds without any: once a day of a year."""

ALL: tuple[Scope, ...] = ("read", "play")


class Identity(Struct, frozen=True):
    """Who asks, and by which cookie or token; a cookie that is ``renewed`` holds for its whole time again."""

    user: User
    session: Session
    renewed: bool = False

    @property
    def scopes(self) -> tuple[Scope, ...]:
        """What he may do; a cookie may do everything."""
        return ALL if self.session.cookie else self.session.scopes


class LoggedIn(Struct, frozen=True):
    """A new cookie: its secret goes to the browser and nowhere else."""

    identity: Identity
    secret: str


class People:
    """Guests and what lets them in. Secrets are 256 random bits, links 128; only their SHA-256 is stored."""

    def __init__(self, store: Store, clock: TimeSource, entropy: Entropy, settings: Settings) -> None:
        """Use this store for everything; only names are cached for a while."""
        self._store = store
        self._clock = clock
        self._entropy = entropy
        self._settings = settings
        self._counting = Counting(store)
        self._known: OrderedDict[str, tuple[int, Person]] = OrderedDict()
        self._changes = 0

    # -- who they are ------------------------------------------------------------------------------------

    async def new_guest(self, name: str, language: str, *, maker: str | None = None) -> User:
        """Make a user, a program if he has a ``maker``.

        Raises :class:`Refusal` for a name or language that cannot be shown.
        """
        name, language = clean_name(name), clean_language(language)
        user = User(self._text(ID_BYTES), name, language, self._clock.now(), maker is not None, maker)
        await self._store.put_user(user)
        return user

    async def change(self, user: User, change: ChangeMe) -> User:
        """Give a user another name or language."""
        name = user.name if change.name is None else clean_name(change.name)
        language = user.language if change.language is None else clean_language(change.language)
        changed = replace(user, name=name, language=language)
        await self._store.put_user(changed)
        self.drop_name(user.id)
        return changed

    async def forget(self, user: str) -> tuple[tuple[str, int], ...]:
        """Delete all a user has left; return the chat lines (table, number) that went with it."""
        gone = await self._store.forget_user(user)
        self.drop_name(user)
        return gone

    def drop_name(self, user: str) -> None:
        """Drop a name that was changed from the cache, and those that are being read."""
        self._known.pop(user, None)
        self._changes += 1

    async def bots(self, user: str) -> tuple[str, ...]:
        """Return the programs that a user has made, oldest first."""
        return tuple(bot.id for bot in await self._store.bots_of(user))

    async def people(self, ids: tuple[str, ...]) -> dict[str, Person]:
        """Return how others see these users; who is unknown or deleted has no name."""
        now = self._clock.now()
        found = {user: person for user in ids if (person := self._remembered(user, now)) is not None}
        missing = tuple(dict.fromkeys(user for user in ids if user not in found))
        if missing:
            changes = self._changes
            users = await self._store.users(missing)
            handles = await self._store.handles_of(missing)
            for user in missing:
                known = users.get(user)
                found[user] = (
                    Person("") if known is None else Person(known.name, known.bot, handles.get(user, ""))
                )
                if changes == self._changes:
                    self._remember(user, found[user], now)
        return found

    def _remembered(self, user: str, now: int) -> Person | None:
        at, person = self._known.get(user, (0, None))
        if person is None or not 0 <= now - at < CACHED_FOR:
            return None
        self._known.move_to_end(user)
        return person

    def _remember(self, user: str, person: Person, now: int) -> None:
        self._known[user] = (now, person)
        self._known.move_to_end(user)
        if len(self._known) > CACHED_NAMES:
            self._known.popitem(last=False)

    # -- cookies and tokens ------------------------------------------------------------------------------

    async def log_in(self, user: User, device: str = "") -> LoggedIn:
        """Make a cookie for a user, in a list of sessions called by its device; each has a new secret."""
        secret = self._text(SECRET_BYTES)
        now = self._clock.now()
        session = Session(
            digest(secret), user.id, now, cookie=True, scopes=ALL, label=clean_device(device), used=now
        )
        await self._store.put_session(session)
        return LoggedIn(Identity(user, session), secret)

    async def who(self, secret: str, *, cookie: bool) -> Identity | None:
        """Return who has this cookie or token, or ``None``; one is never taken for the other.

        A cookie that was not used for its whole time is none any more; :meth:`Store.drop_expired` deletes it.
        """
        if not 0 < len(secret) <= LONGEST_SECRET:
            return None
        found = await self._store.identity(digest(secret))
        if found is None or found[0].cookie != cookie:
            return None
        session, user = found
        unused, holds = self._clock.now() - session.used, self._settings.times.cookie
        if cookie and unused >= holds:
            return None
        return Identity(user, session, cookie and unused * USES_NOTED >= holds and await self._note(session))

    async def _note(self, session: Session) -> bool:
        """Note that a session is used, and tell whether that is stored: a full disk keeps nobody out."""
        try:
            await self._store.note_use(session.digest, self._clock.now())
        except StoreUnavailable:
            return False
        return True

    async def make_token(self, identity: Identity, wanted: NewToken) -> TokenMade:
        """Make a token, for this user or for a new one that is marked as a program."""
        scopes = tuple(scope for scope in ALL if scope in wanted.scopes)
        if any(scope not in identity.scopes for scope in scopes):
            raise Refusal(Problem.SCOPE_MISSING)
        async with self._counting.alone(f"tokens:{identity.user.id}"):
            return await self._make_one_more_token(identity, wanted, scopes)

    async def _make_one_more_token(
        self, identity: Identity, wanted: NewToken, scopes: tuple[Scope, ...]
    ) -> TokenMade:
        user, most = identity.user, self._settings.limits.tokens_a_user
        if sum(not session.cookie for session in await self._sessions(user.id)) >= most:
            raise Refusal(Problem.TOO_MANY, most=most)
        if wanted.bot:
            user = await self.new_guest(wanted.name, user.language, maker=user.id)
        secret = self._text(SECRET_BYTES)
        label = "" if not wanted.label else clean_label(wanted.label)
        now = self._clock.now()
        session = Session(digest(secret), user.id, now, False, scopes, label, used=now)
        await self._store.put_session(session)
        return TokenMade(secret, session.digest[:TOKEN_ID], user.id, scopes)

    async def _sessions(self, user: str) -> tuple[Session, ...]:
        """Return the cookies and tokens of a user, then the tokens of the programs he has made."""
        return await self._store.sessions_of(user) + await self._store.sessions_of_bots(user)

    async def tokens(self, identity: Identity) -> tuple[TokenInfo, ...]:
        """Return the cookies and tokens of a user, oldest first, then those of the programs he has made."""
        sessions = await self._sessions(identity.user.id)
        names = await self.people(tuple(dict.fromkeys(session.user for session in sessions)))
        return tuple(
            TokenInfo(
                id=session.digest[:TOKEN_ID],
                label=session.label,
                created=session.created,
                cookie=session.cookie,
                current=session.digest == identity.session.digest,
                scopes=ALL if session.cookie else session.scopes,
                user=session.user,
                name=names[session.user].name,
                used=session.used,
            )
            for session in sessions
        )

    async def revoke(self, user: str, token: str) -> str:
        """Delete a cookie or token of a user or of his programs by its id, and return its digest.

        Raises ``not-found``.
        """
        for session in await self._sessions(user):
            if session.digest[:TOKEN_ID] == token and await self._store.revoke_session(session.digest):
                return session.digest
        raise Refusal(Problem.NOT_FOUND)

    # -- links -------------------------------------------------------------------------------------------

    async def link_to_table(self, table: str, user: str) -> LinkMade:
        """Make an invitation to a table, which any number of users may take."""
        now = self._clock.now()
        async with self._counting.alone(f"links:{table}"):
            valid = [link for link in await self._store.links_of(table) if link.expires > now]
            if len(valid) >= self._settings.limits.links_a_table:
                raise Refusal(Problem.TOO_MANY, most=self._settings.limits.links_a_table)
            return await self._link(user, now + self._settings.times.link, table=table)

    async def link_to_device(self, user: str) -> LinkMade:
        """Make a link that logs another device in as this user, once."""
        return await self._link(user, self._clock.now() + self._settings.times.device_link, user=user)

    async def _link(
        self, by: str, expires: int, *, table: str | None = None, user: str | None = None
    ) -> LinkMade:
        token = self._text(LINK_BYTES)
        name = self._text(ID_BYTES)
        await self._store.put_link(
            Link(digest(token), name, by, self._clock.now(), expires, table=table, user=user)
        )
        return LinkMade(token, name, expires)

    async def links(self, table: str) -> tuple[Link, ...]:
        """Return the invitations to a table that are still valid, oldest first."""
        now = self._clock.now()
        return tuple(link for link in await self._store.links_of(table) if link.expires > now)

    async def revoke_link(self, link: Link) -> None:
        """Take an invitation back; raises ``not-found`` if it is gone already."""
        if not await self._store.drop_link(link.digest):
            raise Refusal(Problem.NOT_FOUND)

    async def valid_link(self, token: str) -> Link:
        """Return the link behind a token; raises ``link-not-valid`` for unknown and expired ones."""
        link = await self._store.link(digest(token)) if 0 < len(token) <= LONGEST_SECRET else None
        if link is None:
            raise Refusal(Problem.LINK_NOT_VALID)
        if link.expires <= self._clock.now():
            await self._store.drop_link(link.digest)
            raise Refusal(Problem.LINK_NOT_VALID)
        return link

    async def grant_entry(self, link: Link, user: str) -> None:
        """Let a user enter the table a link opens."""
        if link.table is not None:
            await self._store.grant(link.table, user)

    async def owner_of(self, link: Link) -> User:
        """Use a device link up, and return whom it logs in; if two try at once, only one gets it."""
        user = (await self._store.users((link.user or "",))).get(link.user or "")
        if user is None or not await self._store.drop_link(link.digest):
            raise Refusal(Problem.LINK_NOT_VALID)
        return user

    def _text(self, size: int) -> str:
        """Return ``size`` random bytes as text fit for addresses and headers."""
        return base64.urlsafe_b64encode(self._entropy.token_bytes(size)).rstrip(b"=").decode()


def digest(secret: str) -> str:
    """Return what is stored of a secret: its SHA-256 in hexadecimal digits."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def me(identity: Identity) -> Me:
    """Return what a user is shown about himself."""
    user = identity.user
    return Me(user.id, user.name, user.language, user.bot, identity.session.cookie, identity.scopes)


def link_info(link: Link) -> LinkInfo:
    """Return a link without its token."""
    return LinkInfo(link.id, link.created, link.expires)
