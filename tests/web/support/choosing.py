"""A modest player: chooses among what the server says is legal, and knows no rules of its own."""

from __future__ import annotations

from typing import Any

PLANTINGS = ("plant", "plant-set-aside", "plant-leftover", "plant-face-up", "plant-gift")

ONWARD = (
    "claim-bonus", "take-gift", "name-gift", "reveal", "discard-leftover", "discard-from-hand", "keep-hand",
    "leave-rest", "discard-bonus", "refill-bonus", "end-trading", "pass",
)  # fmt: skip
"""What is done when nothing can be planted, in this order."""


def legal(seen: Any) -> list[Any]:
    """Return what may be done now, as a welcome tells it."""
    return list((seen["choices"] or {"legal": []})["legal"])


def fields(seen: Any) -> list[list[int]]:
    """Return the own fields."""
    return list(seen["game"]["players"][seen["seat"]]["fields"])


def bean_of(seen: Any, command: Any) -> int:
    """Return the bean that a command would plant."""
    game, place = seen["game"], command.get("place", 0)
    where = {
        "plant": game["own"]["hand"],
        "plant-set-aside": game["players"][seen["seat"]]["set_aside"],
        "plant-leftover": game["phase"].get("leftovers"),
        "plant-face-up": game["phase"].get("face_up"),
        "plant-gift": game["phase"].get("gift"),
    }
    return int(where[command["do"]][place])


def choice(seen: Any) -> Any | None:
    """Return the command to do now; nothing where the game waits for others."""
    known = legal(seen)
    own = fields(seen) if known else []
    plantings = [command for command in known if command["do"] in PLANTINGS]
    growing = [command for command in plantings if bean_of(seen, command) in own[command["field"]]]
    if growing:
        return growing[0]
    if plantings and not (seen["game"]["phase"]["phase"] == "plant" and seen["game"]["phase"]["planted"] > 0):
        return plantings[0]
    for name in ONWARD:
        if name == "end-trading" and is_closing(seen):
            continue  # it ends by itself now
        found = [command for command in known if command["do"] == name]
        if found and not (name == "take-gift" and _rather_names(seen, known)):
            return found[seen["seq"] % len(found)]
    return best_harvest(seen) if waited_for(seen) else None


def is_closing(seen: Any) -> bool:
    """Tell whether the last call of this trading has begun; the room keeps that of an earlier turn."""
    call = seen["room"]["last_call"]
    return call is not None and call["turn"] == seen["game"]["turn"]


def _rather_names(seen: Any, known: list[Any]) -> bool:
    """Take a gift that grows here; haggle over another one while that is possible."""
    named = seen["game"]["phase"]["named"][-1][1]
    return all(named not in field for field in fields(seen)) and any(
        command["do"] == "name-gift" for command in known
    )


def waited_for(seen: Any) -> bool:
    """Tell whether a bean must be planted for which there is no field."""
    game, phase = seen["game"], seen["game"]["phase"]
    active = game["active_player"] == seen["seat"]
    if phase["phase"] == "plant":
        return bool(active and phase["planted"] == 0)
    if game["players"][seen["seat"]]["set_aside"]:
        return bool(phase["phase"].startswith("plant-"))
    if phase["phase"] == "plant-gift":
        return bool((phase["face_up"] and active) or (phase["gift"] and phase["receiver"] == seen["seat"]))
    return False


def coins_of(seen: Any, field: int) -> int:
    """Return what an own field would bring now."""
    worth = seen["worth"][seen["seat"]][field]
    return 0 if worth is None else int(worth["coins"])


def best_harvest(seen: Any) -> Any | None:
    """Return the harvest that brings most, and of equals the one that costs the fewest beans."""
    harvests = [command for command in legal(seen) if command["do"] == "harvest"]
    own = fields(seen)
    return max(
        harvests,
        key=lambda command: (coins_of(seen, command["field"]), -len(own[command["field"]])),
        default=None,
    )
