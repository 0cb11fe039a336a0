import type { Command } from "../../../app/define.ts";
import { readPublicKey } from "../../../app/public-key.ts";
import { inRepository, resource } from "../../../app/resource.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { text, toggle } from "../../../command/flags.ts";
import type { Table } from "../../../command/table.ts";
import {
  type DeployKey,
  deployKey,
  deployKeyAdd,
  deployKeyDelete,
  deployKeyGet,
  deployKeyList,
} from "../../../forge/deploy-keys.ts";
import { call } from "../../../forge/operation.ts";
import { when } from "../../../output/cells.ts";
import { column } from "../../../output/table.ts";
import { repoArgument } from "../arguments.ts";

const deployKeys = resource({
  ...inRepository,
  noun: ["deploy key", "deploy keys"],
  a: "a deploy key",
  record: deployKey,
  argument: { key: "id", one: "key ID", many: "key IDs", isId: true },
  // Also before a deletion: that of an unknown key succeeds.
  get: (id, { http, repo }) => call(http, deployKeyGet, { repo, id: Number(id) }),
  name: ({ id, title }: DeployKey) => `deploy key ${title === undefined ? id : `${id} (${title})`}`,
  page: (_, repo) => repoPage(repo, "settings", "keys"),
});

/** The verbs of `tongs repo deploy-key`. */
export const verbs: Table<Command> = {
  list: deployKeys.list({
    args: { repo: repoArgument },
    columns: [
      column<DeployKey>("ID", "id"),
      column<DeployKey>("TITLE", "title", { flexible: true }),
      column<DeployKey>("ACCESS", "read_only", accessOf),
      column<DeployKey>("FINGERPRINT", "fingerprint"),
      column<DeployKey>("CREATED", "created_at", { as: "time" }),
    ],
    fetch: ({ http, repo }) => call(http, deployKeyList, { repo }),
    page: ({ repo }) => repoPage(repo, "settings", "keys"),
    examples: [["List the deploy keys", "tongs repo deploy-key list mara/harbor"]],
  }),
  view: deployKeys.view({
    sheet: (key) => ({
      title: key.title ?? `${key.id}`,
      fields: [
        ["id", key.id],
        ["access", accessOf(key)],
        ["fingerprint", key.fingerprint],
        ["created", when(key.created_at)],
        ["key", key.key],
      ],
    }),
    page: ({ repo }) => repoPage(repo, "settings", "keys"),
    examples: [["View a deploy key", "tongs repo deploy-key view 4"]],
  }),
  add: deployKeys.create({
    verb: ["add", "added"],
    details: "The key can only read the repository unless --allow-write is given.",
    args: { file: one("public key file", { dash: "stdin", names: "input file" }) },
    flags: {
      title: text("title of the key (default: its comment)", { placeholder: "TITLE", short: "t" }),
      allowWrite: toggle("allow pushes with the key", { short: "w" }),
    },
    async body({ args, flags, system }) {
      const key = await readPublicKey({ flag: "FILE", file: args.file, title: flags.title }, system);
      return { title: key.title, key: key.key, read_only: !flags.allowWrite };
    },
    send: (body, { http, repo }) => call(http, deployKeyAdd, { repo }, body),
    prints: ({ id }) => id,
    examples: [["Add a key that can push", "tongs repo deploy-key add ci.pub --title ci --allow-write"]],
  }),
  delete: deployKeys.delete({
    sends: deployKeyDelete,
    work: ({ id }, { http, repo }) => call(http, deployKeyDelete, { repo, id }),
    examples: [["Delete a deploy key", "tongs repo deploy-key delete 4 --yes"]],
  }),
};

function accessOf({ read_only }: DeployKey): string {
  return read_only === undefined ? "" : read_only ? "read-only" : "read-write";
}
