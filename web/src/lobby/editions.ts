/** Editions and house rules in words, for the lobby and the reader of the rules. */
import type { EditionInfo, Options, Rules } from "../generated/protocol";
import { lastsDays } from "../lib/days";
import { has, t } from "../lib/i18n.svelte";
import { editionText } from "../lib/names";

/** How the house rule begins that gives a seat a head start. */
const HEAD_START = "head_start=";

/** Return what a house rule says, in the words of the catalogs. */
export function houseText(key: string, value: string): string {
  const policy = `policy.${key}.${value}`;
  if (has(policy)) return t(policy);
  const house = `house.${key}`;
  return has(house) ? t(house, { value: Number(value) }) : `${key} ${value}`;
}

/** Return what holds where no such house rule is chosen, "" where that is not known or has no words. */
export function usualValue(key: string, rules: Rules | null): string {
  const value = rules?.[key as keyof Rules];
  if (typeof value !== "string" && typeof value !== "number") return "";
  return has(`policy.${key}.${value}`) || has(`house.${key}`) ? String(value) : "";
}

/** Say what holds where no such house rule is chosen; "" where that is not known. */
export function usualText(key: string, rules: Rules | null): string {
  const value = usualValue(key, rules);
  return value === "" ? "" : houseText(key, value);
}

/** Return the house rules that a host may choose, seats that begin left out. */
export function houseKeys(edition: EditionInfo | undefined): readonly string[] {
  return Object.keys(edition?.house_rules ?? {}).filter((key) => key !== "starter");
}

/** Return one line that says what is played at a table. */
export function summaryOf(options: Options): string {
  const starts = options.house_rules.some((rule) => rule.startsWith(HEAD_START))
    ? [t("lobby.with-head-start")]
    : [];
  const rules = options.house_rules.flatMap((rule) => {
    if (rule.startsWith(HEAD_START)) return []; // whose it is stands at the seats
    const [name = "", value = ""] = rule.split("=");
    return name === "starter" ? [] : [houseText(name, value)]; // who began is over, and tells nobody what is played
  });
  const pace = options.pace === "normal" ? [] : [`${t("lobby.pace")}: ${t(`lobby.pace-${options.pace}`)}`];
  const hours = lastsDays(options.clock)
    ? [t("lobby.hours-a-move", { hours: Number.parseInt(options.clock) })]
    : [];
  return [editionText(options.edition), ...hours, ...rules, ...starts, ...pace].join(" · ");
}
