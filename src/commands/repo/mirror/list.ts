import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { type PushMirror, pushMirror, pushMirrorGet, pushMirrorList } from "../../../forge/mirrors.ts";
import { call } from "../../../forge/operation.ts";
import { styled, when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { repoArgument } from "../shared.ts";

const columns = [
  column<PushMirror>("NAME", "remote_name"),
  column<PushMirror>("ADDRESS", "remote_address", { flexible: true }),
  column<PushMirror>("INTERVAL", "interval"),
  column<PushMirror>("ON COMMIT", "sync_on_commit"),
  column<PushMirror>("SYNCED", "last_update", { as: "time or never" }),
  column<PushMirror>("ERROR", "last_error", { style: "bad", flexible: true }),
];

/** `tongs repo mirror list`: GET the push mirrors of a repository. */
export const list = defineCommand({
  summary: "List push mirrors",
  on: "repository",
  effect: "read",
  lists: ["push mirror", "push mirrors"],
  args: { repo: repoArgument },
  output: listOf(pushMirror),
  examples: [["List the push mirrors", "tongs repo mirror list mara/harbor"]],
  web: { page: ({ repo }) => repoPage(repo, "settings") },
  async run({ http, repo, out }) {
    await out.list(call(http, pushMirrorList, { repo }), columns);
  },
});

/** `tongs repo mirror view`: GET one push mirror. */
export const view = defineCommand({
  summary: "View a push mirror",
  on: "repository",
  effect: "read",
  args: { name: one("name of the mirror: remote_mirror_…") },
  output: pushMirror,
  examples: [["Print the last error", "tongs repo mirror view remote_mirror_HsYw8WTQkY --jq .last_error"]],
  web: { page: ({ repo }) => repoPage(repo, "settings") },
  async run({ args, http, repo, out }) {
    const found = await call(http, pushMirrorGet, { repo, name: args.name });
    await out.record(found, (mirror) => ({
      title: mirror.remote_name,
      fields: [
        ["address", mirror.remote_address],
        ["interval", mirror.interval],
        ["sync on commit", mirror.sync_on_commit],
        ["created", when(mirror.created)],
        ["synced", when(mirror.last_update, "never")],
        ["last error", styled("bad", mirror.last_error)],
        ["public key", mirror.public_key],
      ],
    }));
  },
});
