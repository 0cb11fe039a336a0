import { type Change, type Journal, openJournal } from "./journal.ts";
import type {
  BadgeRecord,
  KeyRecord,
  PackageRecord,
  PairRecord,
  Redirect,
  StarRecord,
  TeamRecord,
  TokenRecord,
  UserRecord,
} from "./records/accounts.ts";
import type { ArtifactRecord, JobRecord, RunnerRecord, RunRecord, SettingRecord } from "./records/actions.ts";
import type {
  CommentRecord,
  IssueRecord,
  NotificationRecord,
  ReviewCommentRecord,
  ReviewRecord,
  StatusRecord,
} from "./records/issues.ts";
import type { CodeRecord, GrantRecord, OAuthTokenRecord, WebSessionRecord } from "./records/oauth.ts";
import type {
  AssetRecord,
  BranchRule,
  Collaboration,
  HookRecord,
  LabelRecord,
  MilestoneRecord,
  ReleaseRecord,
  RepoRecord,
  TagRule,
} from "./records/repos.ts";

/** Records by key in insertion order. Records are immutable: put a new one to change it. */
export interface Table<R> {
  get(key: number | string): R | undefined;
  find(test: (record: R) => boolean): R | undefined;
  filter(test: (record: R) => boolean): R[];
  all(): R[];
  put(key: number | string, record: R): R;
  delete(key: number | string): void;
}

/** The tables of a sandbox, with transactions. */
export interface Store {
  table<N extends TableName>(name: N): Table<Tables[N]>;
  /** The next number of a sequence: 1, 2, 3 …, never reused. */
  nextId(sequence: string): number;
  /**
   * Runs a write. Writes run one at a time, are atomic, and are durable when the promise resolves. Throws when a table
   * is changed outside a write.
   */
  write<T>(work: () => Promise<T> | T): Promise<T>;
  /** Runs a read. Reads run concurrently, but never during a write. */
  read<T>(work: () => Promise<T> | T): Promise<T>;
  /** Runs work when the current write is durable, and not at all if it is rolled back. */
  after(work: () => Promise<unknown> | unknown): void;
  /** Names the user whose request the current write is, for those who watch. */
  actAs(userId: number | undefined): void;
  /** Calls `onWrite` after each write that changed records, in order. */
  watch(onWrite: (write: FinishedWrite) => void): void;
  /** Whether the store was empty when it was opened. */
  readonly isNew: boolean;
  close(): Promise<void>;
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

/** How many superseded changes the journal may hold before it is compacted. */
const slack = 5_000;

/** Opens a store in memory, persisted in `folder` if given. */
export async function openStore(folder: string | undefined): Promise<Store> {
  const tables = new Map<string, Map<string, unknown>>();
  const records = (name: string): Map<string, unknown> => {
    const known = tables.get(name) ?? new Map<string, unknown>();
    tables.set(name, known);
    return known;
  };
  const set = (name: string, key: string, value: unknown): void => {
    if (value === undefined || value === null) records(name).delete(key);
    else records(name).set(key, value);
  };

  const journal: Journal | undefined = folder === undefined ? undefined : await openJournal(folder);
  for (const [name, key, value] of journal?.before ?? []) set(name, key, value);
  const isNew = tables.size === 0;

  const watchers: ((write: FinishedWrite) => void)[] = [];
  let actorId: number | undefined;
  let followUps: (() => Promise<unknown> | unknown)[] = [];
  let pending: { change: Change; before: unknown }[] | undefined;
  const change = (name: string, key: string, value: unknown): void => {
    if (pending === undefined) throw new Error(`${name} was changed outside a write`);
    pending.push({ change: [name, key, value], before: records(name).get(key) });
    set(name, key, value);
  };

  const commit = async (batch: readonly Change[]): Promise<void> => {
    if (journal === undefined || batch.length === 0) return;
    await journal.append(batch);
    const size = [...tables.values()].reduce((sum, table) => sum + table.size, 0);
    if (journal.length() > size + slack) await journal.compact(everything(tables));
  };

  const run = async <T>(work: () => Promise<T> | T): Promise<{ result: T; next: typeof followUps }> => {
    const mine: { change: Change; before: unknown }[] = [];
    const next: typeof followUps = [];
    pending = mine;
    followUps = next;
    actorId = undefined;
    try {
      const result = await work();
      await commit(mine.map((entry) => entry.change));
      if (watchers.length > 0 && mine.length > 0) {
        const write = { changes: wholeChanges(mine), actorId };
        for (const watcher of watchers) watcher(write);
      }
      return { result, next };
    } catch (error) {
      for (const { change: undone, before } of mine.reverse()) set(undone[0], undone[1], before);
      throw error;
    } finally {
      pending = undefined;
    }
  };

  let last: Promise<unknown> = Promise.resolve();
  const reading = new Set<Promise<unknown>>();
  return {
    isNew,
    table: <N extends TableName>(name: N) => tableOf<Tables[N]>(() => records(name), change.bind(undefined, name)),
    nextId(sequence) {
      const next = Number(records("sequences").get(sequence) ?? 0) + 1;
      change("sequences", sequence, next);
      return next;
    },
    async write(work) {
      const mine = Promise.allSettled([last, ...reading]).then(() => run(work));
      last = mine.catch(() => undefined);
      const { result, next } = await mine;
      for (const followUp of next) await followUp();
      return result;
    },
    async read(work) {
      const mine = last.then(work);
      const settled = mine.then(
        () => undefined,
        () => undefined,
      );
      reading.add(settled);
      try {
        return await mine;
      } finally {
        reading.delete(settled);
      }
    },
    after(work) {
      followUps.push(work);
    },
    actAs(userId) {
      actorId = userId;
    },
    watch(onWrite) {
      watchers.push(onWrite);
    },
    async close() {
      await last;
      await journal?.close();
    },
  };
}

/** The changes of a write, one for each record. */
function wholeChanges(changes: readonly { readonly change: Change; readonly before: unknown }[]): RecordChange[] {
  const whole = new Map<string, RecordChange>();
  for (const { change, before } of changes) {
    const [table, key, after] = change;
    const id = `${table} ${key}`;
    whole.set(id, { table, before: whole.has(id) ? whole.get(id)?.before : before, after: after ?? undefined });
  }
  return [...whole.values()];
}

function tableOf<R>(records: () => Map<string, unknown>, change: (key: string, value: unknown) => void): Table<R> {
  const all = () => [...records().values()] as R[];
  return {
    get: (key) => records().get(String(key)) as R | undefined,
    find: (test) => all().find(test),
    filter: (test) => all().filter(test),
    all,
    put(key, record) {
      change(String(key), record);
      return record;
    },
    delete: (key) => change(String(key), null),
  };
}

function everything(tables: Map<string, Map<string, unknown>>): Change[] {
  return [...tables].flatMap(([name, records]) => [...records].map(([key, value]): Change => [name, key, value]));
}

/** All data outside git, by table. The key is the record's id unless noted. */
export interface Tables {
  /** Users and organizations. */
  users: UserRecord;
  /** Former usernames. The key is the name in lower case. */
  userRedirects: Redirect;
  tokens: TokenRecord;
  repos: RepoRecord;
  /** Former repository names. The key is `ownerId/name` in lower case. */
  repoRedirects: Redirect;
  /** The key is `repoId/userId`. */
  collaborations: Collaboration;
  teams: TeamRecord;
  /** Labels of repositories and organizations. */
  labels: LabelRecord;
  milestones: MilestoneRecord;
  branchRules: BranchRule;
  tagRules: TagRule;
  releases: ReleaseRecord;
  releaseAssets: AssetRecord;
  /** Issues and pull requests. The key is `repoId/number`. */
  issues: IssueRecord;
  comments: CommentRecord;
  notifications: NotificationRecord;
  reviews: ReviewRecord;
  reviewComments: ReviewCommentRecord;
  /** The key is `repoId/sha/number`. */
  statuses: StatusRecord;
  /** The key is `userId/repoId`. */
  stars: StarRecord;
  /** The key is `userId/targetId`. */
  follows: PairRecord;
  /** The key is `userId/targetId`. */
  blocks: PairRecord;
  keys: KeyRecord;
  badges: BadgeRecord;
  packages: PackageRecord;
  hooks: HookRecord;
  runs: RunRecord;
  jobs: JobRecord;
  runners: RunnerRecord;
  artifacts: ArtifactRecord;
  /** Variables and secrets of Actions. */
  settings: SettingRecord;
  /** The key is `repoId/file`. */
  disabledWorkflows: { readonly repoId: number; readonly file: string };
  /** The key of these four is their secret, but of grants. */
  webSessions: WebSessionRecord;
  oauthGrants: GrantRecord;
  oauthCodes: CodeRecord;
  oauthTokens: OAuthTokenRecord;
}

export type TableName = keyof Tables;
