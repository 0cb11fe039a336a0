import { readState, type State, writeState } from "./folder.ts";
import type * as account from "./records/accounts.ts";
import type * as action from "./records/actions.ts";
import type * as issue from "./records/issues.ts";
import type * as repo from "./records/repos.ts";

/** Records by key in insertion order. Records are immutable: put a new one to change it. */
export interface Table<R> {
  /** The record with a key; undefined without a key, too. */
  get(key: number | string | null | undefined): R | undefined;
  /** The same; throws if there is none. */
  must(key: number | string | null): R;
  find(test: (record: R) => boolean): R | undefined;
  filter(test: (record: R) => boolean): R[];
  all(): R[];
  /** Creates a record, or replaces the one with the same key. */
  put(record: R): R;
  /** Creates a record with the next id of the table. */
  add(fields: Omit<R, "id">): R;
  delete(key: number | string): void;
  /** Deletes the records that match. */
  remove(test: (record: R) => boolean): void;
}

/** The tables of a sandbox, with transactions. */
export interface Store {
  table<N extends TableName>(name: N): Table<Tables[N]>;
  /** Deletes the records of all tables that match. */
  removeAll(test: (record: Readonly<Record<string, unknown>>, table: string) => boolean): void;
  /** The next number of a sequence: 1, 2, 3 …, never reused. */
  nextId(sequence: string): number;
  /** Runs a write. Writes run one at a time and are atomic. Throws when a table is changed outside a write. */
  write<T>(work: () => Promise<T> | T): Promise<T>;
  /** Runs a read. Reads run concurrently, but never during a write. */
  read<T>(work: () => Promise<T> | T): Promise<T>;
  /** Runs work after the current write, and not at all if it is rolled back. */
  after(work: () => Promise<unknown> | unknown): void;
  /** Names the user whose request the current write is, for those who watch. */
  actAs(userId: number | undefined): void;
  /** Calls `onWrite` after each write that changed records, in order. */
  watch(onWrite: (write: FinishedWrite) => void): void;
  /** Whether the store was empty when it was opened. */
  readonly isNew: boolean;
  /** Writes the file of the store if something changed, after the writes that run or wait. */
  save(): Promise<void>;
}

/** What makes records: the store, and the time that they get (RFC 3339). */
export interface Maker {
  readonly store: Store;
  readonly now: () => string;
}

/** What a write changed, and whose request it was, if it was one. */
export interface FinishedWrite {
  readonly changes: readonly RecordChange[];
  readonly actorId: number | undefined;
}

/** A record before and after a write; undefined where it did not exist. */
export interface RecordChange {
  readonly table: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Opens a store in memory. With a file, it starts with what the file has, and can be saved to it. */
export async function openStore(file?: string): Promise<Store> {
  const known = file === undefined ? undefined : await readState(file);
  const sequences = new Map(Object.entries(known?.sequences ?? {}));
  const tables = new Map<string, Map<string, unknown>>();
  const records = (name: string): Map<string, unknown> => {
    const table = tables.get(name) ?? new Map<string, unknown>();
    tables.set(name, table);
    return table;
  };
  for (const [name, all] of Object.entries(known?.tables ?? {})) {
    for (const record of all) records(name).set(keyOf(name, record), record);
  }

  const watchers: ((write: FinishedWrite) => void)[] = [];
  let isChanged = false;
  let actorId: number | undefined;
  let followUps: (() => Promise<unknown> | unknown)[] = [];
  /** What undoes the current write, and what it changed, by table and key. */
  let pending: { readonly undo: (() => void)[]; readonly changes: Map<string, RecordChange> } | undefined;
  const set = (table: string, key: string, after: unknown): void => {
    if (pending === undefined) throw new Error(`${table} was changed outside a write`);
    const before = records(table).get(key);
    const put = (value: unknown) => (value === undefined ? records(table).delete(key) : records(table).set(key, value));
    put(after);
    pending.undo.push(() => put(before));
    const first = pending.changes.get(`${table} ${key}`) ?? { before };
    pending.changes.set(`${table} ${key}`, { table, before: first.before, after });
  };
  const nextId = (sequence: string): number => {
    const last = sequences.get(sequence) ?? 0;
    pending?.undo.push(() => sequences.set(sequence, last));
    sequences.set(sequence, last + 1);
    return last + 1;
  };

  const run = async <T>(work: () => Promise<T> | T): Promise<{ result: T; next: typeof followUps }> => {
    const mine = { undo: [] as (() => void)[], changes: new Map<string, RecordChange>() };
    const next: typeof followUps = [];
    [pending, followUps, actorId] = [mine, next, undefined];
    try {
      const result = await work();
      isChanged ||= mine.undo.length > 0;
      const write = { changes: [...mine.changes.values()], actorId };
      if (write.changes.length > 0) for (const watcher of watchers) watcher(write);
      return { result, next };
    } catch (error) {
      for (const undo of mine.undo.reverse()) undo();
      throw error;
    } finally {
      pending = undefined;
    }
  };

  let last: Promise<unknown> = Promise.resolve();
  const reading = new Set<Promise<unknown>>();
  const alone = <T>(work: () => Promise<T>): Promise<T> => {
    const mine = Promise.allSettled([last, ...reading]).then(work);
    last = mine.catch(() => undefined);
    return mine;
  };
  const state = (): State => ({
    sequences: Object.fromEntries(sequences),
    tables: Object.fromEntries([...tables].map(([name, table]) => [name, [...table.values()]])),
  });
  return {
    isNew: known === undefined,
    table: <N extends TableName>(name: N) => tableOf<Tables[N]>(name, () => records(name), set, nextId),
    removeAll(test) {
      for (const [name, table] of tables) {
        for (const [key, one] of [...table]) if (test(Object(one), name)) set(name, key, undefined);
      }
    },
    nextId,
    async write(work) {
      const { result, next } = await alone(() => run(work));
      for (const followUp of next) await followUp();
      return result;
    },
    async read(work) {
      const mine = last.then(work);
      reading.add(mine);
      try {
        return await mine;
      } finally {
        reading.delete(mine);
      }
    },
    after: (work) => void followUps.push(work),
    actAs(userId) {
      actorId = userId;
    },
    watch: (onWrite) => void watchers.push(onWrite),
    save: () =>
      alone(async () => {
        if (file === undefined || !isChanged) return;
        await writeState(file, state());
        isChanged = false;
      }),
  };
}

function tableOf<R>(
  name: TableName,
  records: () => Map<string, unknown>,
  set: (table: string, key: string, value: unknown) => void,
  nextId: (sequence: string) => number,
): Table<R> {
  const all = () => [...records().values()] as R[];
  const get: Table<R>["get"] = (key) => records().get(String(key)) as R | undefined;
  const put = (record: R) => {
    set(name, keyOf(name, record), record);
    return record;
  };
  return {
    get,
    must(key) {
      const record = get(key);
      if (record === undefined) throw new Error(`${name} has no ${key}`);
      return record;
    },
    find: (test) => all().find(test),
    filter: (test) => all().filter(test),
    all,
    put,
    add: (fields) => put({ id: nextId(name), ...fields } as R),
    delete: (key) => set(name, String(key), undefined),
    remove(test) {
      for (const record of all().filter(test)) set(name, keyOf(name, record), undefined);
    },
  };
}

/** The fields that identify a record, where that is not its id. */
const keyFields: Readonly<Partial<Record<string, readonly string[]>>> = {
  userRedirects: ["from"],
  repoRedirects: ["ownerId", "from"],
  collaborations: ["repoId", "userId"],
  issues: ["repoId", "index"],
  statuses: ["repoId", "sha", "number"],
  stars: ["userId", "repoId"],
  follows: ["userId", "targetId"],
  disabledWorkflows: ["repoId", "file"],
  oauthCodes: ["code"],
  oauthTokens: ["secret"],
};

function keyOf(table: string, record: unknown): string {
  const values = new Map(Object.entries(record ?? {}));
  return (keyFields[table] ?? ["id"]).map((field) => String(values.get(field))).join("/");
}

/** All data outside git, by table. */
export interface Tables {
  /** Users and organizations. */
  users: account.UserRecord;
  /** Former usernames. */
  userRedirects: account.Redirect;
  tokens: account.TokenRecord;
  repos: repo.RepoRecord;
  /** Former repository names. */
  repoRedirects: account.Redirect & { readonly ownerId: number };
  collaborations: repo.Collaboration;
  teams: account.TeamRecord;
  /** Labels of repositories and organizations. */
  labels: repo.LabelRecord;
  milestones: repo.MilestoneRecord;
  branchRules: repo.BranchRule;
  tagRules: repo.TagRule;
  releases: repo.ReleaseRecord;
  releaseAssets: repo.AssetRecord;
  /** Issues and pull requests. */
  issues: issue.IssueRecord;
  comments: issue.CommentRecord;
  /** Files of issues, pull requests and comments. */
  attachments: issue.AttachmentRecord;
  notifications: issue.NotificationRecord;
  reviews: issue.ReviewRecord;
  reviewComments: issue.ReviewCommentRecord;
  statuses: issue.StatusRecord;
  stars: account.StarRecord;
  follows: account.PairRecord;
  keys: account.KeyRecord;
  hooks: repo.HookRecord;
  runs: action.RunRecord;
  jobs: action.JobRecord;
  runners: action.RunnerRecord;
  artifacts: action.ArtifactRecord;
  /** Variables and secrets of Actions. */
  settings: action.SettingRecord;
  disabledWorkflows: { readonly repoId: number; readonly file: string };
  oauthGrants: account.GrantRecord;
  oauthCodes: account.CodeRecord;
  oauthTokens: account.OAuthTokenRecord;
}

export type TableName = keyof Tables;
