"""A bot without Bohn inside: ``bohn arena run "cmd:python examples/line_bot.py" --against b3``."""

import json
import sys
from typing import Any

Json = dict[str, Any]
seat = -1


def decide(asked: Json, me: int) -> Json | None:
    """Trade; or grow a field, go on, plant an empty one, sell the fullest."""
    legal, fields = asked["legal"], asked["view"]["players"][me]["fields"]
    if asked["view"]["phase"]["phase"] == "trade":
        return trade(asked, me, {field[0] for field in fields if field})
    plants = [one for one in legal if one["do"] in ("plant", "plant-set-aside")]
    grow = [one for one in plants if fields[one["field"]]]
    sales = [one for one in legal if one["do"] == "harvest"]
    sales.sort(key=lambda one: -len(fields[one["field"]]))
    return dict([*grow, *(one for one in legal if one["do"] == "reveal"), *plants, *sales, *legal][0])


def trade(asked: Json, me: int, grows: set[int]) -> Json | None:
    """Take what it grows for what it does not; bid a card it does not grow for the first kind it grows."""
    space, offers = asked["offers"], {offer["id"]: offer for offer in asked["view"]["phase"]["offers"]}
    for one in (one for one in asked["legal"] if one["do"] == "accept-offer"):
        offer = offers[one["offer"]]
        if grows & {*offer["hand"], *(bean for _, bean in offer["face_up"])} and not grows & {*offer["want"]}:
            return dict(one)
    cards = [card for card in space["hand"] if card[1] not in grows][:1]
    wants = [bean for bean in space["kinds"] if bean in grows][:1]
    if not (cards and wants and asked["tries"]) or any(offer["maker"] == me for offer in offers.values()):
        return None
    deal = {"to": space["partners"], "hand": cards, "want": wants, "hand_revision": space["hand_revision"]}
    return {"do": "make-offer", "player": me, **deal}


for line in sys.stdin:
    seat = (message := json.loads(line)).get("seat", seat)  # "begin" tells it, and is answered by null too
    print(json.dumps(decide(message, seat) if message["type"] == "decide" else None), flush=True)
