/** What this browser was told of a table goes once its person is back there. */

/** Close the messages of a table, and let the icon count those that are left. */
export async function takeBackNotices(table: string): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const told = await (await navigator.serviceWorker.getRegistration())?.getNotifications();
  if (told === undefined) return;
  const here = told.filter(({ tag }) => tag === table);
  for (const one of here) one.close();
  // a message of a table has its name with it, a test has none
  const tables = told.filter(({ tag, data }) => tag !== table && data === tag);
  await navigator.setAppBadge?.(tables.length);
}
