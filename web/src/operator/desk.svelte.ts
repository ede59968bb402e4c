/** What an operator's page knows, and everything it asks of the server. */
import type {
  DeedList,
  NewSanction,
  OperatorSession,
  OperatorTables,
  Overview,
  ReportContext,
  ReportInfo,
  ReportList,
  SeenPeople,
  SeenPerson,
  TableInfo,
} from "../generated/protocol";
import { asRefusal, call, type Refusal } from "../lib/http";

/** The parts of the page. */
export const PARTS = ["overview", "reports", "people", "tables", "limits", "log"] as const;
export type Part = (typeof PARTS)[number];

const API = "/api/operator";

/** An operator's desk. */
export class Desk {
  part: Part = $state("overview");
  /** Whether it is known whether somebody is signed in. */
  ready = $state(false);
  overview: Overview | null = $state.raw(null);
  reports: readonly ReportInfo[] = $state.raw([]);
  context: ReportContext | null = $state.raw(null);
  people: readonly SeenPerson[] = $state.raw([]);
  sought = $state("");
  tables: readonly TableInfo[] = $state.raw([]);
  deeds: DeedList | null = $state.raw(null);
  /** Why something was not done, until the next thing that works. */
  refusal: Refusal | null = $state.raw(null);

  /** Sign in if the address has a link, and look. */
  async begin(token: string): Promise<void> {
    if (token !== "") await this.tried(() => call<OperatorSession>("POST", `${API}/session`, { token }));
    const bad = this.refusal;
    await this.look();
    if (bad !== null && this.overview === null) this.refusal = bad;
    this.ready = true;
  }

  /** Ask for what the part that is shown needs. */
  async look(): Promise<void> {
    await this.tried(async () => {
      this.overview = await call<Overview>("GET", API);
      if (this.part === "reports") this.reports = (await call<ReportList>("GET", `${API}/reports`)).reports;
      else if (this.part === "people") this.people = (await this.find()).people;
      else if (this.part === "tables")
        this.tables = (await call<OperatorTables>("GET", `${API}/tables`)).tables;
      else if (this.part === "log") this.deeds = await call<DeedList>("GET", `${API}/deeds`);
    });
  }

  /** Show another part. */
  async show(part: Part): Promise<void> {
    this.part = part;
    this.context = null;
    await this.look();
  }

  /** Open a report with what went on around it, or close it. */
  async open(report: number): Promise<void> {
    if (this.context?.report.id === report) this.context = null;
    else
      await this.tried(
        async () => (this.context = await call<ReportContext>("GET", `${API}/reports/${report}`)),
      );
  }

  /** Begin a sanction; returns whether it was done. */
  sanction(wanted: NewSanction): Promise<boolean> {
    return this.done(() => call("POST", `${API}/sanctions`, wanted));
  }

  /** End a sanction. */
  lift(sanction: string): Promise<boolean> {
    return this.done(() => call("DELETE", `${API}/sanctions/${sanction}`));
  }

  /** Close a table with a word to its players. */
  closeTable(table: string, word: string): Promise<boolean> {
    return this.done(() => call("POST", `${API}/tables/${table}/close`, { word }));
  }

  /** Note that nothing more is done about a report. */
  settle(report: number): Promise<boolean> {
    return this.done(() => call("POST", `${API}/reports/${report}/settle`, {}));
  }

  /** Set a limit, or with `null` let that of the settings hold again. */
  limit(name: string, value: number | null): Promise<boolean> {
    return this.done(() => call("POST", `${API}/limits`, { name, value }));
  }

  /** End the session. */
  async signOut(): Promise<void> {
    await this.tried(() => call("DELETE", `${API}/session`));
    this.overview = null;
  }

  private find(): Promise<SeenPeople> {
    return call<SeenPeople>("GET", `${API}/people?find=${encodeURIComponent(this.sought)}`);
  }

  private async done(action: () => Promise<unknown>): Promise<boolean> {
    if (!(await this.tried(action))) return false;
    const open = this.context?.report.id;
    await this.look();
    this.context = null;
    if (open !== undefined) await this.open(open);
    return true;
  }

  private async tried(action: () => Promise<unknown>): Promise<boolean> {
    try {
      await action();
      this.refusal = null;
      return true;
    } catch (error) {
      this.refusal = asRefusal(error);
      if (this.refusal.reason === "no-operator") this.overview = null;
      return false;
    }
  }
}
