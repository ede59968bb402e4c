/** What jsdom lacks and the page asks for as soon as it is loaded. */
window.matchMedia ??= (media) =>
  Object.assign(new EventTarget(), { media, matches: false }) as MediaQueryList;
