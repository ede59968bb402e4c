/** People one knows: whom one follows and blocks, and what one is invited to. */
import type { Acquaintances, InvitationsSent } from "../generated/protocol";
import { call } from "./http";
import { session } from "./session.svelte";

/** Whom the user of this page knows; asked from the server, which counts him as here by that. */
class Circle {
  /** `null` until the server has answered. */
  known: Acquaintances | null = $state.raw(null);

  /** Ask anew; a stranger knows nobody. */
  async look(): Promise<void> {
    if (session.me !== null) this.known = await call<Acquaintances>("GET", "/api/me/people");
  }

  /** Follow somebody, or end that. */
  follow(user: string, on: boolean): Promise<void> {
    return this.change("POST", "/api/me/follows", { user, on });
  }

  /** Block somebody, or end that. */
  block(user: string, on: boolean): Promise<void> {
    return this.change("POST", "/api/me/blocks", { user, on });
  }

  /** Keep the own profile private, or show it. */
  keepPrivate(on: boolean): Promise<void> {
    return this.change("POST", "/api/me/privacy", { private: on });
  }

  /** Say no to the invitations to a table. */
  refuse(table: string): Promise<void> {
    if (session.invited?.table === table) session.invited = null;
    return this.change("DELETE", `/api/me/invitations/${encodeURIComponent(table)}`);
  }

  follows(user: string): boolean {
    return this.known?.followed.some((one) => one.user === user) ?? false;
  }

  blocks(user: string): boolean {
    return this.known?.blocked.some((one) => one.user === user) ?? false;
  }

  private async change(method: string, path: string, body?: unknown): Promise<void> {
    this.known = await call<Acquaintances>(method, path, body);
  }
}

export const circle = new Circle();

/** Ask people to come to a table; returns who was invited. */
export async function invite(table: string, users: readonly string[]): Promise<readonly string[]> {
  const path = `/api/tables/${encodeURIComponent(table)}/invitations`;
  return (await call<InvitationsSent>("POST", path, { users })).users;
}
