import type { ServerContext } from "../../app/context.ts";
import type { Command } from "../../app/define.ts";
import { listCommand } from "../../app/list-command.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { refuseLacking } from "../../app/refuse-flags.ts";
import { resource } from "../../app/resource.ts";
import { levelExclusive, levelFlags, levelOf, ownerName } from "../../app/shared.ts";
import { pagePath, settingsPage } from "../../app/web.ts";
import { listOrWebPage, orWebPage } from "../../app/web-instead.ts";
import { names, yesNo } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import type { Level } from "../../forge/level.ts";
import { call } from "../../forge/operation.ts";
import {
  type Runner,
  type RunnerJob,
  readRunner,
  runner,
  runnerDelete,
  runnerEdit,
  runnerGet,
  runnerJob,
  runnerJobList,
  runnerList,
  serverRunnerJobList,
  waitingJobs,
} from "../../forge/runners.ts";
import { placed, sinceOfNeeds } from "../../forge/support.ts";
import { type Cell, styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { addressText } from "../../profiles/server.ts";

/** What came with runners that can be disabled. */
const disabling = { since: sinceOfNeeds([runnerEdit]) ?? {}, operation: placed(runnerEdit)[0] };

const runners = resource({
  on: "server",
  noun: ["runner", "runners"],
  a: "a runner",
  record: runner,
  argument: { key: "id", one: "runner ID", many: "runner IDs", source: "runner", isId: true },
  flags: levelFlags,
  exclusive: levelExclusive,
  place: (context) => levelOf(context.flags, context),
  get: (id, context) =>
    orWebPage("view a runner", runnersPage(context.place, context), context, () =>
      call(context.http, runnerGet, { level: context.place, runner_id: id }),
    ),
  target: () => (id) => ({ id: Number(id) }),
  name: ({ id }: Pick<Runner, "id">) => `runner ${id}`,
  where: ownerName,
  page: ({ id }, place) => settingsPage(place, `actions/runners/${id}`),
});

/** The verbs of `tongs runner`. */
export const verbs: Table<Command> = {
  list: runners.list({
    needs: [runnerList],
    details:
      "Lists the runners registered for the repository, organization, account or server itself. Jobs of a repository also " +
      "run on the runners of its owner and of the server.",
    flags: { disabled: yesNo("only runners that are disabled, or enabled", { filters: true, needs: [runnerEdit] }) },
    columns: [
      column<Runner>("ID", "id"),
      column<Runner>("NAME", "name", { style: "strong", flexible: true }),
      column<Runner>("STATE", "status", runnerState),
      column<Runner>("LABELS", "labels", { cell: (one) => readRunner(one).labels.join(", "), flexible: true }),
    ],
    async fetch(context) {
      const { disabled } = context.flags;
      // Servers whose runners cannot be disabled ignore it.
      if (disabled !== undefined) await refuseLacking(disabling, "--disabled", context);
      const runners = call(context.http, runnerList, { level: context.place, disabled });
      return listOrWebPage("list runners", runnersPage(context.place, context), context, runners);
    },
    page: async (_, place) => settingsPage(await place(), "actions/runners"),
    pageUses: ["org", "user", "admin"],
    examples: [
      ["List the runners of the current repository", "tongs runner list"],
      ["List all runners of the server", "tongs runner list --admin --all"],
      ["List the disabled runners of the server", "tongs runner list --admin --disabled"],
    ],
  }),
  view: runners.view({
    needs: [runnerGet],
    sheet: (one) => ({
      title: one.name,
      fields: [
        ["id", one.id],
        ["state", runnerState(one)],
        ["labels", readRunner(one).labels.join(", ")],
        ["ephemeral", one.ephemeral ? "yes" : undefined],
        ["version", one.version],
        ["description", one.description],
      ],
    }),
    examples: [["View a runner of the server", "tongs runner view 3 --admin"]],
  }),
  register: () => import("./register.ts").then((file) => file.register),
  jobs: listCommand({
    summary: "List the jobs that wait for a runner",
    details:
      "With --label, only those that a runner with these labels can run. Servers do not tell since when a job waits.",
    on: "server",
    lists: ["job", "jobs"],
    needs: [[runnerJobList, serverRunnerJobList]],
    flags: { ...levelFlags, label: names("labels of a runner", { short: "l", source: "runner label", filters: true }) },
    exclusive: levelExclusive,
    record: runnerJob,
    columns: [
      column<RunnerJob>("ID", "id"),
      column<RunnerJob>("NAME", "name", { style: "strong", flexible: true }),
      column<RunnerJob>("STATE", "status", { as: "state" }),
      column<RunnerJob>("LABELS", "runs_on", { cell: (job) => (job.runs_on ?? []).join(", "), flexible: true }),
      column<RunnerJob>("RUN", "run_id"),
    ],
    async fetch(context) {
      const labels = context.flags.label.length === 0 ? undefined : context.flags.label.join(",");
      return waitingJobs(context.http, await levelOf(context.flags, context), labels);
    },
    examples: [
      ["List the jobs of the current repository that wait", "tongs runner jobs"],
      ["List the jobs of the server that wait for a label", "tongs runner jobs --admin --label docker"],
    ],
  }),
  delete: runners.delete({
    needs: [runnerDelete],
    sends: runnerDelete,
    before: ({ http, place }) => requirePresentOwner(place, http),
    work: ({ id }, context) =>
      orWebPage("delete a runner", runnersPage(context.place, context), context, () =>
        call(context.http, runnerDelete, { level: context.place, runner_id: id }),
      ),
    examples: [["Delete two runners of the server", "tongs runner delete 3 4 --admin --yes"]],
  }),
  enable: runners.each({
    needs: [runnerEdit],
    verb: ["enable", "enabled"],
    work: ({ id }, { http, place }) => call(http, runnerEdit, { level: place, runner_id: id }, { disabled: false }),
    says: (name, where) => `Enabled ${name} of ${where}`,
    examples: [["Enable a runner of the server", "tongs runner enable 3 --admin"]],
  }),
  disable: runners.each({
    needs: [runnerEdit],
    verb: ["disable", "disabled"],
    work: ({ id }, { http, place }) => call(http, runnerEdit, { level: place, runner_id: id }, { disabled: true }),
    says: (name, where) => `Disabled ${name} of ${where}`,
    examples: [["Disable a runner of the server", "tongs runner disable 3 --admin"]],
  }),
  token: () => import("./register.ts").then((file) => file.token),
};

/** The web page of the runners, for servers that do not have the API operations. */
function runnersPage(level: Level, { server }: Pick<ServerContext, "server">): string {
  const page = ["actions", "runners"] as const;
  return addressText(server.base) + (level.of === "server" ? pagePath("admin", ...page) : settingsPage(level, ...page));
}

/** A disabled runner stays online but gets no jobs. */
function runnerState(runner: Runner): Cell {
  const { status, busy, disabled } = runner;
  const { isOnline, isBusy } = readRunner(runner);
  if (disabled) return styled("warn", `${status}, disabled`);
  if (!isOnline) return styled("plain", status);
  return isBusy ? styled("warn", busy ? "busy" : status) : styled("good", status);
}
