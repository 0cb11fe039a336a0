import type { Command } from "../../app/define.ts";
import { orDenied } from "../../app/denied.ts";
import { type IssueTarget, issueArgument, manyIssues, readIssues, targetName } from "../../app/issue-selector.ts";
import { listCommand } from "../../app/list-command.ts";
import { inServer, resource } from "../../app/resource.ts";
import { currentUser } from "../../app/shared.ts";
import { repoPage } from "../../app/web.ts";
import { batchCommand } from "../../app/write-command.ts";
import { text } from "../../command/flags.ts";
import { noun, type Table } from "../../command/table.ts";
import { Failure } from "../../failure/failure.ts";
import { issue, issueDelete, issueGet } from "../../forge/issues.ts";
import { call } from "../../forge/operation.ts";
import { issueLock, issuePinnedList, issueUnlock, issueUnpin, lockBody, lockedBefore } from "../../forge/pins.ts";
import { issueSubscribe, issueUnsubscribe } from "../../forge/timeline.ts";
import { commandIn } from "../../profiles/server.ts";
import { list } from "../../shape/shape.ts";
import { issueColumns } from "./cells.ts";

const issues = resource({
  ...inServer,
  noun: ["issue", "issues"],
  a: "an issue",
  record: issue,
  argument: issueArgument,
  read: readIssues,
  targetName,
  name: (one: IssueTarget) => `issue ${targetName(one)}`,
});

/** The verbs of `tongs issue`. */
export const verbs: Table<Command> = {
  status: () => import("./status.ts").then((file) => file.status),
  list: () => import("./list.ts").then((file) => file.list),
  view: () => import("./view.ts").then((file) => file.view),
  create: () => import("./create.ts").then((file) => file.create),
  edit: () => import("./edit.ts").then((file) => file.edit),
  close: () => import("./state.ts").then((file) => file.close),
  reopen: () => import("./state.ts").then((file) => file.reopen),
  comment: () => import("./comment.ts").then((file) => file.comment),
  delete: issues.delete({
    sends: issueDelete,
    leavesNothing: false,
    details: "This cannot be undone. To close an issue instead, run tongs issue close.",
    async work(one, { http, server }) {
      const found = await call(http, issueGet, pathOf(one));
      if (found.pull_request != null) {
        const hint = `To close it, run: ${commandIn({ server, repo: one.repo }, `tongs pr close ${one.number}`)}`;
        throw new Failure("not_an_issue", `${targetName(one)} is a pull request`, { hint });
      }
      await adminsOnly(call(http, issueDelete, pathOf(one)), `Cannot delete ${targetName(one)}`);
      return found;
    },
    examples: [["Delete an issue", "tongs issue delete 12 --yes"]],
  }),
  lock: issues.each({
    needs: [issueLock],
    verb: ["lock", "locked"],
    summary: "Lock the conversation of issues",
    details: "Only users with write access can comment then.",
    flags: { reason: text("reason, shown on the issue", { short: "r", placeholder: "REASON" }) },
    already: ({ flags }) => lockedBefore(flags.reason),
    async work(one, { flags, http }) {
      const locked = call(http, issueLock, pathOf(one), lockBody(flags.reason));
      await adminsOnly(locked, `Cannot lock or unlock ${targetName(one)}`);
      return () => call(http, issueGet, pathOf(one));
    },
    examples: [["Lock an issue", 'tongs issue lock 12 --reason "Too heated"']],
  }),
  unlock: issues.each({
    needs: [issueUnlock],
    verb: ["unlock", "unlocked"],
    summary: "Unlock the conversation of issues",
    async work(one, { http }) {
      await adminsOnly(call(http, issueUnlock, pathOf(one)), `Cannot lock or unlock ${targetName(one)}`);
      return () => call(http, issueGet, pathOf(one));
    },
    examples: [["Unlock an issue", "tongs issue unlock 12"]],
  }),
  pin: () => import("./pin.ts").then((file) => file.pin),
  unpin: issues.each({
    verb: ["unpin", "unpinned"],
    async work(one, { http }) {
      await adminsOnly(call(http, issueUnpin, pathOf(one)), `Cannot unpin ${targetName(one)}`);
      return () => call(http, issueGet, pathOf(one));
    },
    examples: [["Unpin an issue", "tongs issue unpin 12"]],
  }),
  pinned: listCommand({
    on: "repository",
    lists: ["pinned issue", "pinned issues"],
    record: issue,
    summary: "List the pinned issues",
    columns: issueColumns,
    fetch: ({ http, repo }) => call(http, issuePinnedList, { repo }),
    page: ({ repo }) => repoPage(repo, "issues"),
    examples: [["List the pinned issues", "tongs issue pinned"]],
  }),
  block: {
    summary: "Manage the issues that an issue blocks",
    verbs: async () => ({
      list: () => import("./dependency.ts").then((file) => file.block.list),
      add: () => import("./dependency.ts").then((file) => file.block.add),
      remove: () => import("./dependency.ts").then((file) => file.block.remove),
    }),
  },
  dependency: {
    summary: "Manage the issues that an issue depends on",
    verbs: async () => ({
      list: () => import("./dependency.ts").then((file) => file.dependency.list),
      add: () => import("./dependency.ts").then((file) => file.dependency.add),
      remove: () => import("./dependency.ts").then((file) => file.dependency.remove),
    }),
  },
  template: {
    summary: "View issue templates",
    verbs: async () => ({
      list: () => import("./template.ts").then((file) => file.list),
      view: () => import("./template.ts").then((file) => file.view),
    }),
  },
  config: () => import("./template.ts").then((file) => file.config),
  start: () => import("./stopwatch.ts").then((file) => file.start()),
  stop: () => import("./stopwatch.ts").then((file) => file.stop()),
  time: noun("Manage tracked times", () => import("./time/time.ts")),
  reaction: {
    summary: "React to issues",
    verbs: async () => ({
      list: () => import("../../app/reaction-verbs.ts").then((file) => file.ofIssue.list()),
      add: () => import("../../app/reaction-verbs.ts").then((file) => file.ofIssue.add()),
      remove: () => import("../../app/reaction-verbs.ts").then((file) => file.ofIssue.remove()),
    }),
  },
  subscribe: subscription("subscribe", "Subscribe to", "Subscribed to", "were already subscribed to", issueSubscribe),
  unsubscribe: subscription(
    "unsubscribe",
    "Unsubscribe from",
    "Unsubscribed from",
    "were not subscribed to",
    issueUnsubscribe,
  ),
  develop: () => import("./develop.ts").then((file) => file.develop),
  timeline: () => import("./timeline.ts").then((file) => file.timeline),
  attachment: noun("Manage issue attachments", () => import("./attachment/attachment.ts")),
};

/** A verb that sets or ends the signed-in user's subscription to each issue. */
function subscription(
  verb: string,
  start: string,
  done: string,
  already: string,
  send: typeof issueSubscribe | typeof issueUnsubscribe,
) {
  const summary = `${start} the notifications of issues`;
  return batchCommand({
    summary,
    on: "server",
    args: { issue: manyIssues },
    output: list(issue),
    exits: { partly: "some succeeded, some failed" },
    async targets(context) {
      const targets = await readIssues(context.args.issue, context);
      const user = await currentUser(context);
      return targets.map((one) => ({ ...one, user }));
    },
    name: targetName,
    async work({ user, ...one }, { http }) {
      const unchanged = (await call(http, send, { ...pathOf(one), user })) === 200;
      const said = unchanged ? `You ${already}` : done;
      return { done: `${said} issue ${targetName(one)}`, unchanged, record: () => call(http, issueGet, pathOf(one)) };
    },
    examples: [[summary, `tongs issue ${verb} 12 mara/notes#3`]],
  });
}

function pathOf({ repo, number }: IssueTarget) {
  return { repo, index: number };
}

/** The result of what only administrators of the repository can do. */
function adminsOnly<T>(request: Promise<T>, what: string): Promise<T> {
  return request.catch(orDenied(what, "administrators of the repository"));
}
