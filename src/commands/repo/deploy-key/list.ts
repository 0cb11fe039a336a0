import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { wholeNumber } from "../../../command/flags.ts";
import { type DeployKey, deployKey, deployKeyGet, deployKeyList } from "../../../forge/deploy-keys.ts";
import { call } from "../../../forge/operation.ts";
import { when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { list as listOf } from "../../../shape/shape.ts";
import { repoArgument } from "../shared.ts";

const columns = [
  column<DeployKey>("ID", "id"),
  column<DeployKey>("TITLE", "title", { flexible: true }),
  column<DeployKey>("ACCESS", "read_only", accessOf),
  column<DeployKey>("FINGERPRINT", "fingerprint"),
  column<DeployKey>("CREATED", "created_at", { as: "time" }),
];

/** `tongs repo deploy-key list`: GET the deploy keys of a repository. */
export const list = defineCommand({
  summary: "List deploy keys",
  on: "repository",
  effect: "read",
  lists: ["deploy key", "deploy keys"],
  args: { repo: repoArgument },
  output: listOf(deployKey),
  examples: [["List the deploy keys", "tongs repo deploy-key list mara/harbor"]],
  web: { page: ({ repo }) => repoPage(repo, "settings", "keys") },
  async run({ http, repo, out }) {
    await out.list(call(http, deployKeyList, { repo }), columns);
  },
});

/** `tongs repo deploy-key view`: GET one deploy key. */
export const view = defineCommand({
  summary: "View a deploy key",
  on: "repository",
  effect: "read",
  args: { id: one("key ID") },
  output: deployKey,
  examples: [["View a deploy key", "tongs repo deploy-key view 4"]],
  web: { page: ({ repo }) => repoPage(repo, "settings", "keys") },
  async run({ args, http, repo, out }) {
    const found = await call(http, deployKeyGet, { repo, id: wholeNumber(args.id, "ID", 1) });
    await out.record(found, (key) => ({
      title: key.title ?? `${key.id}`,
      fields: [
        ["id", key.id],
        ["access", accessOf(key)],
        ["fingerprint", key.fingerprint],
        ["created", when(key.created_at)],
        ["key", key.key],
      ],
    }));
  },
});

function accessOf({ read_only }: DeployKey): string {
  return read_only === undefined ? "" : read_only ? "read-only" : "read-write";
}
