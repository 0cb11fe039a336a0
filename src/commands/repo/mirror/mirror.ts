import type { Command } from "../../../app/define.ts";
import { readSecretFile } from "../../../app/input.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { repoPage } from "../../../app/web.ts";
import { writeCommand } from "../../../app/write-command.ts";
import { one } from "../../../command/args.ts";
import { inputFile, text, textOr, toggle, yesNo } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import { Failure } from "../../../failure/failure.ts";
import { collect } from "../../../forge/listings.ts";
import {
  mirrorSync,
  type PushMirror,
  pushMirror,
  pushMirrorCreate,
  pushMirrorDelete,
  pushMirrorGet,
  pushMirrorList,
  pushMirrorSync,
} from "../../../forge/mirrors.ts";
import { call } from "../../../forge/operation.ts";
import type { Http } from "../../../http/client.ts";
import { HttpError } from "../../../http/errors.ts";
import { styled, when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { fullName, parseRepo, type RepoName } from "../../../repo/repo-name.ts";
import { list } from "../../../shape/shape.ts";
import { givenOrCurrent, ofRepositories, refusePassword, repoArgument } from "../arguments.ts";

const mirrors = resource({
  ...inRepository,
  noun: ["push mirror", "push mirrors"],
  a: "a push mirror",
  record: pushMirror,
  argument: { key: "name", one: "name of the mirror: remote_mirror_…", many: "names of mirrors" },
  get: (name, { http, repo }) => call(http, pushMirrorGet, { repo, name }),
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
  add: () => add(),
  delete: mirrors.delete({
    sends: pushMirrorDelete,
    details: "The repository at the other address stays as it is.",
    work: ({ remote_name: name }, { http, repo }) => call(http, pushMirrorDelete, { repo, name }),
    examples: [["Delete a push mirror", "tongs repo mirror delete remote_mirror_HsYw8WTQkY --yes"]],
  }),
  sync: () => sync(),
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

/** `tongs repo mirror add`: POST a push mirror. */
const add = writeCommand({
  summary: "Add a push mirror",
  details:
    "The server pushes every branch and tag to the address, or the branches of --branch-filter. It does not try the address until the first sync.",
  on: "repository",
  fieldsOf: pushMirrorCreate,
  args: { address: one("URL of the repository to push to") },
  flags: {
    interval: textOr("8h0m0s", "time between syncs; 0 for none", { placeholder: "DURATION" }),
    branchFilter: text("push only these branches: names and patterns with commas between", { placeholder: "BRANCHES" }),
    syncOnCommit: yesNo("also sync after each push to the repository (default)"),
    remoteUsername: text("username at the address", { placeholder: "USER" }),
    remotePasswordFile: inputFile("read the password or token from a file", { names: "password" }),
    useSsh: toggle("authenticate with an SSH key that the server creates"),
  },
  exclusive: [
    ["useSsh", "remoteUsername"],
    ["useSsh", "remotePasswordFile"],
  ],
  output: pushMirror,
  examples: [
    [
      "Mirror to another server",
      "tongs repo mirror add https://example.org/mara/harbor.git --remote-username mara --remote-password-file token.txt",
    ],
    [
      "Mirror only some branches",
      "tongs repo mirror add https://example.org/mara/harbor.git --branch-filter 'main,release/*'",
    ],
  ],
  async work({ args, flags, http, prompt, repo, system }) {
    refusePassword(args.address, "--remote-password-file");
    const typed = await readSecretFile("--remote-password-file", flags.remotePasswordFile, system);
    const needed = flags.remoteUsername !== undefined && typed === undefined;
    const password = needed
      ? await prompt.password({ message: `Password of ${flags.remoteUsername}`, flag: "--remote-password-file" })
      : typed;
    const body = {
      remote_address: args.address,
      branch_filter: flags.branchFilter,
      interval: flags.interval,
      sync_on_commit: flags.syncOnCommit ?? true,
      remote_username: flags.remoteUsername,
      remote_password: password,
      use_ssh: flags.useSsh || undefined,
    };
    const record = await call(http, pushMirrorCreate, { repo }, body);
    const { remote_name: prints, public_key } = record;
    const what = `push mirror ${prints}`;
    const notes = public_key ? [`Add this key at the address, with write access: ${public_key}`] : [];
    return { done: `Added ${what} to ${fullName(repo)}`, prints, record, what, notes };
  },
});

/** `tongs repo mirror sync`: POST …/push_mirrors-sync, which pushes to all push mirrors and waits. */
const sync = writeCommand({
  summary: "Sync all push mirrors now",
  on: "repository",
  args: { repo: repoArgument },
  output: list(pushMirror),
  exits: { failure: "no mirror could be synced", partly: "some mirrors were synced, some failed" },
  examples: [["Sync the push mirrors", "tongs repo mirror sync mara/harbor"]],
  async work({ http, repo }) {
    await call(http, pushMirrorSync, { repo }).catch(async (error: unknown) => {
      throw await explain(error, http, repo);
    });
    const record = () => collect(call(http, pushMirrorList, { repo }));
    return { done: `Synced the push mirrors of ${fullName(repo)}`, record };
  },
});

/**
 * Names the mirrors that failed, with their errors. The answer is 422, or 500 before Gitea 1.27 and on Forgejo, which does
 * not name them (docs/server-differences.md, "Mirrors").
 */
async function explain(error: unknown, http: Http, repo: RepoName): Promise<unknown> {
  if (!(error instanceof HttpError) || (error.status !== 422 && error.status !== 500)) return error;
  const all = await collect(call(http, pushMirrorList, { repo })).catch(() => []);
  const isNamed = /error occurred when syncing/.test(error.serverMessage);
  const failed = all.filter(({ remote_name, last_error = "" }) =>
    isNamed ? error.serverMessage.includes(remote_name) : last_error !== "",
  );
  if (failed.length === 0) return error;
  const reasons = failed.map(({ remote_address, remote_name, last_error }) => {
    return `${remote_address ?? remote_name}: ${last_error?.trim() || "no error message"}`;
  });
  const message = `${failed.length} of ${all.length} push mirrors of ${fullName(repo)} could not be synced`;
  const code = failed.length < all.length ? "partly_done" : "mirror_failed";
  return new Failure(code, message, { hint: reasons.join("\n"), status: error.status, cause: error });
}
