/** What can be opened beside the board. */
export type SheetName = "log" | "chat" | "people" | "rules" | "settings";
