import type { Command } from "../../app/define.ts";
import { changedNames } from "../../app/fields.ts";
import { requirePresentOwner } from "../../app/present-name.ts";
import { resource } from "../../app/resource.ts";
import { levelExclusive, levelFlags, levelOf, ownerName } from "../../app/shared.ts";
import { settingsPage } from "../../app/web.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { choice, choiceOr, text, toggle, wholeNumber } from "../../command/flags.ts";
import { nameOf } from "../../command/source.ts";
import { noun, type Table } from "../../command/table.ts";
import { UsageError } from "../../failure/failure.ts";
import {
  editHook,
  type Hook,
  hook,
  hookCreate,
  hookDelete,
  hookEdit,
  hookGet,
  hookList,
  hookTest,
  listsDefaultHooks,
  shownHook,
} from "../../forge/hooks.ts";
import { mapListing } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { fullName } from "../../repo/repo-name.ts";
import { settingFlags, settingsOf } from "./shared.ts";

const hooks = resource({
  on: "server",
  noun: ["webhook", "webhooks"],
  a: "a webhook",
  record: hook,
  argument: { key: "id", one: "webhook ID", many: "webhook IDs", source: "hook", isId: true },
  flags: levelFlags,
  exclusive: levelExclusive,
  place: ({ flags, locate }) => levelOf(flags, { locate }),
  get: (id, { http, place: level }) => call(http, hookGet, { level, id: Number(id) }),
  target: () => (id) => ({ id: Number(id) }),
  name: ({ id }: Pick<Hook, "id">) => `webhook ${id}`,
  where: ownerName,
});

const types =
  "gitea gogs slack discord dingtalk telegram msteams feishu matrix wechatwork packagist forgejo sourcehut_builds".split(
    " ",
  );

/** The verbs of `tongs hook`. */
export const verbs: Table<Command> = {
  list: hooks.list({
    fieldsOf: { ...hookList, levels: ["server"] },
    flags: { type: choice(["system", "default", "all"], "with --admin, the kind to list (default: all)") },
    columns: [
      column<Hook>("ID", "id"),
      column<Hook>("TYPE", "type"),
      column<Hook>("URL", "url", { cell: (one) => one.config?.["url"] ?? one.url, flexible: true }),
      // The servers return events in random order.
      column<Hook>("EVENTS", "events", { cell: (one) => [...(one.events ?? [])].sort().join(", "), flexible: true }),
      column<Hook>("STATE", "active", (one) => (one.active ? styled("good", "active") : styled("plain", "inactive"))),
      column<Hook>("UPDATED", "updated_at", { as: "time", rank: "optional" }),
    ],
    check({ flags }) {
      if (flags.type !== undefined && !flags.admin) throw new UsageError("--type requires --admin");
    },
    async fetch({ flags, http, place }) {
      const all = place.of === "server" && (await listsDefaultHooks(http)) ? "all" : undefined;
      return mapListing(call(http, hookList, { level: place, type: flags.type ?? all }), shownHook);
    },
    page: async (_, place) => settingsPage(await place(), "hooks"),
    pageUses: ["org", "user", "admin"],
    examples: [
      ["List the webhooks of the current repository", "tongs hook list"],
      ["List all webhooks of the server", "tongs hook list --admin --type all"],
    ],
  }),
  // It is active unless --no-active is given.
  create: hooks.create({
    details:
      "The webhook delivers push events unless --event is given. Fails if the server does not have an event; the webhook " +
      "exists then, without it.",
    fieldsOf: hookCreate,
    flags: {
      type: choiceOr(types, "gitea", "type of the receiver", { placeholder: "TYPE" }),
      system: toggle("with --admin, create a system webhook instead of a default webhook for new repositories"),
      ...settingFlags,
    },
    exclusive: [["secretStdin", "secretFile"]],
    async body({ flags, system }) {
      if (flags.url === undefined) throw new UsageError("--url is required");
      if (flags.system && !flags.admin) throw new UsageError("--system requires --admin");
      const given = await settingsOf(flags, system);
      const ofServer = flags.system ? { is_system_webhook: "true" } : {};
      const config = { content_type: "json", ...given.config, ...ofServer };
      return { ...given, type: flags.type, config, active: flags.active ?? true };
    },
    send: async (body, { http, place }) => shownHook(await call(http, hookCreate, { level: place }, body)),
    prints: ({ id }) => id,
    examples: [
      [
        "Create a webhook for pushes and releases",
        "tongs hook create --url https://ci.example.org/hook --event push,release",
      ],
      [
        "Create a webhook with a secret",
        "tongs hook create --org tidewater --url https://ci.example.org/hook --secret-file secret.txt",
      ],
    ],
  }),
  edit: hooks.edit({
    details:
      "Changes only the settings given by flags; --event replaces all events. An edit deletes the Authorization header if the " +
      "server does not return it (hook list --json shows whether it does): pass it again then with --authorization-header-file.",
    fieldsOf: hookEdit,
    flags: settingFlags,
    exclusive: [["secretStdin", "secretFile"]],
    body: ({ flags, system }) => settingsOf(flags, system),
    names: ({ config, ...given }) =>
      changedNames({ ...given, ...Object.fromEntries(Object.keys(config).map((key) => [`config.${key}`, key])) }),
    send: async (before, body, { http, place }) => shownHook(await editHook(http, place, before, body)),
    examples: [["Deactivate a webhook", "tongs hook edit 3 --no-active"]],
  }),
  delete: hooks.delete({
    sends: hookDelete,
    before: ({ http, place }) => requirePresentOwner(place, http),
    work: ({ id }, { http, place }) => call(http, hookDelete, { level: place, id }),
    examples: [["Delete a webhook", "tongs hook delete 3 --yes"]],
  }),
  // It exists for repositories only.
  test: writeCommand({
    summary: "Deliver a test event to a repository's webhook",
    on: "repository",
    result: "requested",
    args: { id: one("webhook ID", { source: "hook" }) },
    flags: { ref: text("deliver a push event for this branch, tag or commit", { placeholder: "REF", source: "ref" }) },
    async work({ args, flags, http, repo }) {
      const id = wholeNumber(args.id, "ID", 1);
      // Tried live: Gitea 1.26 finds no full ref, and sends the newest commit of the default branch then.
      const ref = flags.ref && nameOf("tag", nameOf("branch", flags.ref));
      await call(http, hookTest, { repo, id, ref });
      return { done: `Requested a test delivery of webhook ${id} of ${fullName(repo)}` };
    },
    examples: [["Test a webhook", "tongs hook test 3"]],
  }),
  listen: () => import("./listen.ts").then((file) => file.listen),
  git: noun("Manage git hooks", () => import("./git.ts")),
};
