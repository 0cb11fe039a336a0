import type { ServerContext } from "../../app/context.ts";
import type { Level } from "../../forge/level.ts";
import { type Runner, readRunner } from "../../forge/runners.ts";
import { type Cell, styled } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { addressText } from "../../profiles/server.ts";
import { fullName } from "../../repo/repo-name.ts";

/** The columns of a list of runners. */
export const runnerColumns = [
  column<Runner>("ID", "id"),
  column<Runner>("NAME", "name", { style: "strong", flexible: true }),
  column<Runner>("STATE", "status", runnerState),
  column<Runner>("LABELS", "labels", { cell: (runner) => readRunner(runner).labels.join(", "), flexible: true }),
];

/** The web page of the runners, for servers that do not have the API operations. */
export function runnersPage(level: Level, { server }: Pick<ServerContext, "server">): string {
  return `${addressText(server.base)}/${settingsPath(level)}/actions/runners`;
}

function settingsPath(level: Level): string {
  if (level.of === "repository") return `${fullName(level.repo)}/settings`;
  if (level.of === "organization") return `org/${level.org}/settings`;
  return level.of === "user" ? "user/settings" : "admin";
}

/** A runner, field by field. */
export function runnerSheet(runner: Runner): Sheet {
  return {
    title: runner.name,
    fields: [
      ["id", runner.id],
      ["state", runnerState(runner)],
      ["labels", readRunner(runner).labels.join(", ")],
      ["ephemeral", runner.ephemeral ? "yes" : undefined],
    ],
  };
}

/** A disabled runner stays online but gets no jobs. */
function runnerState(runner: Runner): Cell {
  const { status, busy, disabled } = runner;
  const { isOnline, isBusy } = readRunner(runner);
  if (disabled) return styled("warn", `${status}, disabled`);
  if (!isOnline) return styled("plain", status);
  return isBusy ? styled("warn", busy ? "busy" : status) : styled("good", status);
}
