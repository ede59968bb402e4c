"""Every bean has a name to show."""

from __future__ import annotations

import re

import pytest

from bohn.i18n import Catalog, available, catalog
from bohn.rules.beans import BEANS


@pytest.mark.parametrize("lang", available())
def test_every_bean_has_a_name_of_its_own(lang: str) -> None:
    """No two varieties are called the same, and none shows its key."""
    texts = Catalog.load(lang)
    shown = {texts.text(f"bean.{bean.name.lower()}") for bean in BEANS}

    assert len(shown) == len(BEANS)
    assert not any(name.startswith("[") for name in shown)


def test_italian_articles_come_with_the_bean() -> None:
    """It is "lo Stink Bean" and "il Red Bean": a text names the form `_def` or `_a` and writes no article."""
    article = re.compile(r"\b(?:il?|un|d[ae][il]|a[il]|su[il]|ne[il]) \{bean(?:_pl)?\}")
    found = [key for key, text in catalog._patterns("it").items() if article.search(text)]

    assert found == []
