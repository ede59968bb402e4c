/** Types of the modules that the build makes: the catalogs and the sheet of drawings. */

declare module "virtual:catalogs" {
  /** One loader a language; the texts come with it. */
  export const loaders: Record<
    string,
    () => Promise<{ default: Record<string, import("./lib/patterns").Pattern> }>
  >;
}

declare module "virtual:catalogs/operator" {
  /** The same for the texts that only the operator's page needs. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/account" {
  /** The same for the texts that only the sheet of accounts needs. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/people" {
  /** The same for the texts of people one knows, profiles and searched games. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/refusals" {
  /** The same for the texts of why the server refuses something. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/deal" {
  /** The same for the texts of how a deal is checked. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/after" {
  /** The same for the texts of a game that is over. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/duel" {
  /** The same for the texts of the games for two. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/alerts" {
  /** The same for the texts that only the part of the settings about alerts needs. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/away" {
  /** The same for the texts that only the sheet of standing orders needs. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/days" {
  /** The same for what is told at tables over days. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/times" {
  /** The same for the texts of playing hours and holidays. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/start" {
  /** The same for the texts of head starts. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/linear" {
  /** The same for the texts that only the text view needs. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/settings" {
  /** The same for the texts of the settings. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/keys" {
  /** The same for the texts of the list of keys. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/reader" {
  /** The same for the texts beside the rules where they are read. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/replay" {
  /** The same for the texts of the page of a replay. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/mailed" {
  /** The same for the texts of the page behind the links in letters. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:catalogs/lesson" {
  /** The same for the texts that only a lesson needs. */
  export { loaders } from "virtual:catalogs";
}

declare module "virtual:sprite" {
  /** All drawings as symbols of one SVG. */
  const sheet: string;
  export default sheet;
}
