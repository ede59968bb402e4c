"""Opens an address in the user's browser, but never in one that runs in the terminal."""

from __future__ import annotations

import os
import webbrowser
from collections.abc import Callable
from threading import Thread


def open_page(url: str, otherwise: Callable[[], None]) -> Thread:
    """Open an address in the default browser, which may take its time; call ``otherwise`` if none does."""

    def work() -> None:
        if not _opened(url):
            otherwise()

    thread = Thread(target=work, name="bohn-browser", daemon=True)
    thread.start()
    return thread


def _opened(url: str) -> bool:
    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return False
    # A browser of the terminal would fight with the server over it, unless somebody has asked for it.
    if type(browser) is webbrowser.GenericBrowser and not os.environ.get("BROWSER"):
        return False
    try:
        return browser.open(url)
    except (OSError, webbrowser.Error):
        return False
