import type { BaseContext, ServerContext } from "../../app/context.ts";
import type { CommitStatus } from "../../forge/commits.ts";
import { addressAt } from "../../http/address.ts";
import { shownName, state, styled } from "../../output/cells.ts";
import { type Column, column, plainRow, shownRows, shownTable } from "../../output/table.ts";
import { contextPattern } from "../../text/glob.ts";
import type { Styled } from "../../text/styled.ts";

/**
 * What a check means for the merge: for the servers, warnings and skipped checks pass and unknown states are pending.
 */
export type Verdict = "passed" | "pending" | "failed";

/** A check of a commit, or a required check that was not reported. */
export interface CheckRow {
  readonly context: string;
  /** The server's state, or `expected`. */
  readonly state: string;
  readonly verdict: Verdict;
  readonly required: boolean;
  readonly status: CommitStatus | undefined;
}

/** The checks of a pull request's head at one moment. */
export interface Checks {
  readonly sha: string;
  readonly rows: readonly CheckRow[];
  /** That a run waits for an approval, and how to give it. */
  readonly unapproved?: string | undefined;
}

/**
 * The checks, sorted by name. `required` are the globs of a branch protection; one without a reported check gets its
 * own row, because the merge waits for it.
 */
export function checkRows(statuses: readonly CommitStatus[], required: readonly string[]): CheckRow[] {
  const patterns = required.map((glob) => ({ glob, matches: contextPattern(glob) }));
  const reported = statuses.map(
    (status): CheckRow => ({
      context: status.context,
      state: status.status,
      verdict: verdictOf(status.status),
      required: patterns.some(({ matches }) => matches(status.context)),
      status,
    }),
  );
  const missing = patterns
    .filter(({ matches }) => !statuses.some((status) => matches(status.context)))
    .map(({ glob }): CheckRow => {
      return { context: glob, state: "expected", verdict: "pending", required: true, status: undefined };
    });
  return [...reported, ...missing].sort((one, other) => (one.context < other.context ? -1 : 1));
}

/** Failed if any check failed, else pending if any is pending, else passed. */
export function overall(rows: readonly CheckRow[]): Verdict {
  if (rows.some(({ verdict }) => verdict === "failed")) return "failed";
  return rows.some(({ verdict }) => verdict === "pending") ? "pending" : "passed";
}

/** `1 failed, 2 pending, 5 passed`. */
export function summary(rows: readonly CheckRow[]): string {
  const words = ["failed", "pending", "passed"] as const;
  const found = words.map((word) => ({ word, count: rows.filter(({ verdict }) => verdict === word).length }));
  return found.flatMap(({ word, count }) => (count === 0 ? [] : `${count} ${word}`)).join(", ");
}

function verdictOf(state: string): Verdict {
  if (state === "failure" || state === "error") return "failed";
  return state === "success" || state === "warning" || state === "skipped" ? "passed" : "pending";
}

type TableContext = Pick<BaseContext, "out" | "system"> & Pick<ServerContext, "server">;

/** The checks as text: a table on a terminal, or one line each in a pipe. */
export async function checksText(
  rows: readonly CheckRow[],
  { out, system, server }: TableContext,
): Promise<string | Styled> {
  const columns = columnsFor(server.base);
  if (!out.terminal) return rows.map((row) => plainRow(row, columns)).join("");
  if (rows.length === 0) return "";
  const width = system.stdout.columns || out.width;
  return shownTable(rows, columns, { width, palette: out.palette, now: system.now() });
}

/** The lines of the table for a terminal, `width` columns wide. */
export async function checkLines(
  rows: readonly CheckRow[],
  { out, system, server }: TableContext,
  width: number,
): Promise<Styled[]> {
  return shownRows(rows, columnsFor(server.base), { width, palette: out.palette, now: system.now() });
}

/** One check as a line for a pipe. */
export function checkLine(row: CheckRow, { server }: Pick<ServerContext, "server">): string {
  return plainRow(row, columnsFor(server.base));
}

function columnsFor(base: URL): readonly Column<CheckRow>[] {
  return [
    column("CHECK", "context", { cell: (row) => shownName(row.context), flexible: true }),
    column("STATE", "state", (row) => state(row.state, row.state === "expected" ? "warn" : undefined)),
    column("REQUIRED", "required", { cell: (row) => (row.required ? "required" : ""), rank: "optional" }),
    column("DESCRIPTION", "status.description", { flexible: true }),
    column("UPDATED", "status.updated_at", { as: "time", rank: "optional" }),
    column("URL", "status.target_url", {
      cell: (row) => styled("link", absoluteUrl(row.status?.target_url ?? "", base)),
      flexible: true,
      rank: "optional",
    }),
  ];
}

/** Forgejo Actions report a path without a host (docs/server-differences.md, "Commit statuses"). */
export function absoluteUrl(target: string, base: URL): string {
  return target.startsWith("/") && !target.startsWith("//") ? addressAt(base, target).href : target;
}
