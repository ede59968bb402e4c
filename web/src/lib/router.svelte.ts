/** The addresses of the page: which one is shown, and how to go to another without loading. */

/** Where in the page we are. */
export type Route =
  | { readonly at: "lobby" }
  | { readonly at: "table"; readonly table: string; readonly invitation: string }
  | { readonly at: "join"; readonly token: string }
  | {
      readonly at: "replay";
      readonly source: "tables" | "records";
      readonly id: string;
      readonly query: URLSearchParams;
    }
  | { readonly at: "operator"; readonly token: string }
  | { readonly at: "mail"; readonly link: string }
  | { readonly at: "games" }
  | { readonly at: "rules"; readonly edition: string; readonly query: URLSearchParams }
  | { readonly at: "nowhere" };

/** Return the route of an address. */
export function parse(url: URL): Route {
  const [first, second, third] = url.pathname
    .split("/")
    .filter((part) => part !== "")
    .map(decoded);
  if (first === undefined) return { at: "lobby" };
  if (first === "t" && second !== undefined)
    return { at: "table", table: second, invitation: url.hash.slice(1) };
  if (first === "operator") return { at: "operator", token: url.hash.slice(1) };
  if (first === "mail") return { at: "mail", link: url.hash.slice(1) };
  if (first === "join") return { at: "join", token: url.hash.slice(1) };
  if (first === "replay" && second !== undefined) {
    const source = second === "record" ? "records" : "tables";
    const id = source === "records" ? third : second;
    return id === undefined ? { at: "nowhere" } : { at: "replay", source, id, query: url.searchParams };
  }
  if (first === "games") return { at: "games" };
  if (first === "rules") return { at: "rules", edition: second ?? "full", query: url.searchParams };
  return { at: "nowhere" };
}

/** Return a part of a path decoded, or as it is where nobody can decode it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

let here: Route = $state.raw(parse(new URL(location.href)));

/** The route that is shown. */
export function route(): Route {
  return here;
}

/** Go to an address of the page. */
export function go(path: string, replace = false): void {
  const url = new URL(path, location.href);
  if (replace) history.replaceState(null, "", url);
  else history.pushState(null, "", url);
  here = parse(url);
  scrollTo(0, 0);
}

/** Note a part of the address that changes nothing on the page, such as the moment of a replay. */
export function note(path: string): void {
  history.replaceState(null, "", path);
}

/** Follow links inside the page without loading it anew; called once by the page. */
export function followLinks(): void {
  addEventListener("popstate", () => (here = parse(new URL(location.href))));
  addEventListener("hashchange", () => (here = parse(new URL(location.href))));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey)
      return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (
      link === null ||
      link.target !== "" ||
      link.hasAttribute("download") ||
      link.origin !== location.origin
    )
      return;
    if (link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
