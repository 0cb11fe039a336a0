import type { Command } from "../../../app/define.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { repoPage } from "../../../app/web.ts";
import type { Table } from "../../../command/table.ts";
import { Failure } from "../../../failure/failure.ts";
import { collect } from "../../../forge/listings.ts";
import {
  mirrorSync,
  type PushMirror,
  pushMirror,
  pushMirrorDelete,
  pushMirrorGet,
  pushMirrorList,
} from "../../../forge/mirrors.ts";
import { call } from "../../../forge/operation.ts";
import { styled, when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { fullName, parseRepo } from "../../../repo/repo-name.ts";
import { givenOrCurrent, ofRepositories, repoArgument } from "../arguments.ts";

const mirrors = resource({
  ...inRepository,
  noun: ["push mirror", "push mirrors"],
  a: "a push mirror",
  record: pushMirror,
  argument: { key: "name", one: "name of the mirror: remote_mirror_…", many: "names of mirrors" },
  select:
    ({ http, repo }) =>
    (name) =>
      call(http, pushMirrorGet, { repo, name }),
  // The deletion of an unknown one succeeds.
  async target({ http, repo }) {
    const all = await collect(call(http, pushMirrorList, { repo }));
    return (name) => {
      const found = all.find(({ remote_name }) => remote_name === name);
      if (found === undefined) throw new Failure("not_found", `Push mirror ${name} not found in ${fullName(repo)}`);
      return found;
    };
  },
  name: ({ remote_name, remote_address }: PushMirror) =>
    `push mirror ${remote_name}${remote_address === undefined ? "" : ` (${remote_address})`}`,
});

const repositories = resource({ ...ofRepositories });

/** The verbs of `tongs repo mirror`. */
export const verbs: Table<Command> = {
  list: mirrors.list({
    args: { repo: repoArgument },
    columns: [
      column<PushMirror>("NAME", "remote_name"),
      column<PushMirror>("ADDRESS", "remote_address", { flexible: true }),
      column<PushMirror>("INTERVAL", "interval"),
      column<PushMirror>("ON COMMIT", "sync_on_commit"),
      column<PushMirror>("SYNCED", "last_update", { as: "time or never" }),
      column<PushMirror>("ERROR", "last_error", { style: "bad", flexible: true }),
    ],
    fetch: ({ http, repo }) => call(http, pushMirrorList, { repo }),
    page: ({ repo }) => repoPage(repo, "settings"),
    examples: [["List the push mirrors", "tongs repo mirror list mara/harbor"]],
  }),
  view: mirrors.view({
    sheet: (mirror) => ({
      title: mirror.remote_name,
      fields: [
        ["address", mirror.remote_address],
        ["interval", mirror.interval],
        ["branches", mirror.branch_filter],
        ["sync on commit", mirror.sync_on_commit],
        ["created", when(mirror.created)],
        ["synced", when(mirror.last_update, "never")],
        ["last error", styled("bad", mirror.last_error)],
        ["public key", mirror.public_key],
      ],
    }),
    page: ({ repo }) => repoPage(repo, "settings"),
    examples: [["Print the last error", "tongs repo mirror view remote_mirror_HsYw8WTQkY --jq .last_error"]],
  }),
  add: () => import("./add.ts").then((file) => file.add),
  delete: mirrors.each({
    verb: ["delete", "deleted"],
    effect: "destroy",
    sends: pushMirrorDelete,
    details: "The repository at the other address stays as it is.",
    work: ({ remote_name: name }, { http, repo }) => call(http, pushMirrorDelete, { repo, name }),
    examples: [["Delete a push mirror", "tongs repo mirror delete remote_mirror_HsYw8WTQkY --yes"]],
  }),
  sync: () => import("./sync.ts").then((file) => file.sync),
  pull: repositories.each({
    ...givenOrCurrent,
    verb: ["update", "updated"],
    summary: "Update pull mirrors from their source",
    details: "The server updates them in the background.",
    leavesNothing: true,
    result: "requested",
    work: ({ full_name }, { http }) => call(http, mirrorSync, { repo: parseRepo(full_name) }),
    says: (name) => `Requested an update of ${name}`,
    examples: [["Update a pull mirror", "tongs repo mirror pull mara/harbor-mirror"]],
  }),
};
