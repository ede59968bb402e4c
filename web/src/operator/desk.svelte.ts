/** What an operator's page knows, and everything it asks of the server. */
import type {
  DeedList,
  LimitInfo,
  NewSanction,
  NoticeTest,
  NoticeTested,
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
import { asRefusal, call, Refusal } from "../lib/http";

/** The parts of the page. */
export const PARTS = ["overview", "reports", "people", "tables", "limits", "notices", "log"] as const;
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
  /** How many the part lists if there are more, else 0. */
  cut = $state(0);
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
      this.cut = await this.list();
    });
  }

  /** Ask for the list of the part, if it has one; returns how many are in it if there are more. */
  private async list(): Promise<number> {
    if (this.part === "reports") {
      const { reports, more } = await call<ReportList>("GET", `${API}/reports`);
      this.reports = reports;
      return more ? reports.length : 0;
    }
    if (this.part === "people") {
      const { people, more } = await this.find();
      this.people = people;
      return more ? people.length : 0;
    }
    if (this.part === "tables") {
      const { tables, more } = await call<OperatorTables>("GET", `${API}/tables`);
      this.tables = tables;
      return more ? tables.length : 0;
    }
    if (this.part === "log") {
      this.deeds = await call<DeedList>("GET", `${API}/deeds`);
      return this.deeds.more ? this.deeds.deeds.length : 0;
    }
    return 0;
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

  /** Set a limit to what was typed, or with `null` let that of the settings hold again. */
  limit({ name, least, most }: LimitInfo, typed: string | null): Promise<boolean> {
    const value = typed === null ? null : Number(typed.trim() || NaN);
    return this.done(async () => {
      if (value !== null && !Number.isFinite(value))
        // it would be sent as null, for JSON has no such numbers
        throw new Refusal("out-of-range", null, { given: `“${typed ?? ""}”`, least, most }, 400);
      await call("POST", `${API}/limits`, { name, value });
    });
  }

  /** Send a test; its refusal is thrown, and shown beside its button. */
  async test(wanted: NoticeTest): Promise<NoticeTested> {
    try {
      return await call<NoticeTested>("POST", `${API}/notices/test`, wanted);
    } catch (error) {
      if (asRefusal(error).reason === "no-operator") this.overview = null;
      throw error;
    }
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
