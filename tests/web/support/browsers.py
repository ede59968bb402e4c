"""The browser of the system, and how it is started for tests and measurements."""

from __future__ import annotations

import shutil

from playwright.sync_api import Browser, Playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")
GET_IT = "no Chromium found; on Debian and Ubuntu: apt install chromium"

PLAYWRIGHTS = (
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin",
    "OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
)  # fmt: skip
"""What Playwright switches off by itself; a list of our own takes the place of its list."""

ADDRESS_BAR = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup")
"""Pages that draw what hangs below the address bar: each context loads them, which costs half of its time."""


def chromium() -> str | None:
    """Return the browser of the system, if there is one."""
    return next((path for name in NAMES if (path := shutil.which(name))), None)


def start(playwright: Playwright) -> Browser:
    """Start the browser of the system without a window."""
    off = ",".join((*PLAYWRIGHTS, *ADDRESS_BAR))
    args = ["--no-sandbox", f"--disable-features={off}"]
    return playwright.chromium.launch(executable_path=chromium(), args=args)
