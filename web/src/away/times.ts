/** When the viewer plays at tables over days: his hours and holidays, as the server keeps them. */
import type { ChangeHours, TimesInfo } from "../generated/protocol";
import { call } from "../lib/http";

const PATH = "/api/me/times";

/** By day, as it is proposed to whoever asks for hours: minutes of the day. */
export const BY_DAY = [8 * 60, 22 * 60] as const;

/** Return the time zone of this device by its name. */
export const ownZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Return our hours and holidays. */
export const timesOf = (): Promise<TimesInfo> => call("GET", PATH);

/** Say at which hours we play. */
export const setHours = (hours: ChangeHours): Promise<TimesInfo> => call("PATCH", PATH, hours);

/** Announce a holiday from one day to another. */
export const announce = (first: string, last: string): Promise<TimesInfo> =>
  call("POST", `${PATH}/holidays`, { first, last, zone: ownZone() });

/** Take a holiday back, or end one that has begun. */
export const dropHoliday = (first: string): Promise<TimesInfo> => call("DELETE", `${PATH}/holidays/${first}`);

/** Return the date of a day as one reads it in its field: the day of this device. */
export function today(): string {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}
