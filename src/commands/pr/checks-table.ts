import type { BaseContext, ServerContext } from "../../app/context.ts";
import { state, styled, when } from "../../output/cells.ts";
import { type Column, column, plainRow, shownTable } from "../../output/table.ts";
import type { CheckRow } from "./check-rows.ts";

type TableContext = Pick<BaseContext, "out" | "system"> & Pick<ServerContext, "server">;

/** The checks as text: a table on a terminal, a line each in a pipe. */
export async function rowsText(rows: readonly CheckRow[], { out, system, server }: TableContext): Promise<string> {
  const columns = columnsFor(server.base);
  if (!out.terminal) return rows.map((row) => plainRow(row, columns)).join("");
  if (rows.length === 0) return "";
  const width = system.stdout.columns || out.width;
  return shownTable(rows, columns, { width, palette: out.palette, now: system.now() });
}

/** One check as a line for a pipe. */
export function rowLine(row: CheckRow, { server }: Pick<ServerContext, "server">): string {
  return plainRow(row, columnsFor(server.base));
}

function columnsFor(base: URL): readonly Column<CheckRow>[] {
  return [
    column("CHECK", (row) => row.context, true),
    column("STATE", (row) => (row.state === "expected" ? styled("warn", row.state) : state(row.state))),
    column("REQUIRED", (row) => (row.required ? "required" : "")),
    column("DESCRIPTION", (row) => row.status?.description, true),
    column("UPDATED", (row) => when(row.status?.updated_at)),
    column("URL", (row) => styled("link", address(row.status?.target_url ?? "", base)), true),
  ];
}

/** Forgejo's own runs give a path without a host (api-facts 8.2). */
function address(target: string, base: URL): string {
  return target.startsWith("/") && !target.startsWith("//") ? new URL(target, base).href : target;
}
