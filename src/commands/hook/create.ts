import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelFlags, levelOf, ownerName } from "../../app/shared.ts";
import { choiceOr, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { hook, hookCreate, shownHook } from "../../forge/hooks.ts";
import { call } from "../../forge/operation.ts";
import { accountLabel } from "../../profiles/server.ts";
import { authorizationHeader, checkEvents, configOf, settingFlags } from "./shared.ts";

const types = [
  ..."gitea gogs slack discord dingtalk telegram msteams feishu matrix wechatwork packagist forgejo sourcehut_builds".split(
    " ",
  ),
];

/** `tongs hook create`: POST a hook. It is active unless `--no-active` is given. */
export const create = defineCommand({
  summary: "Create a webhook",
  details:
    "The webhook delivers push events unless --event is given. Fails if the server does not have an event; the webhook " +
    "exists then, without it.",
  on: "server",
  fieldsOf: hookCreate,
  effect: "write",
  flags: {
    ...levelFlags,
    type: choiceOr(types, "gitea", "type of the receiver", { placeholder: "TYPE" }),
    system: toggle("with --admin, create a system webhook instead of a default webhook for new repositories"),
    ...settingFlags,
  },
  exclusive: [...levelExclusive, ["secretStdin", "secretFile"]],
  output: hook,
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
  async run(context) {
    const { flags, http, out, server, system } = context;
    if (flags.url === undefined) throw new UsageError("--url is required");
    if (flags.system && !flags.admin) throw new UsageError("--system requires --admin");
    checkEvents(flags.event);
    const owner = await levelOf(flags, context);
    const config = { content_type: "json", ...(await configOf(flags, system)) };
    const created = await call(
      http,
      hookCreate,
      { level: owner },
      {
        type: flags.type,
        config: flags.system ? { ...config, is_system_webhook: "true" } : config,
        events: flags.event.length > 0 ? flags.event : undefined,
        branch_filter: flags.branchFilter,
        authorization_header: await authorizationHeader(flags.authorizationHeaderFile, system),
        active: flags.active ?? true,
        name: flags.name,
      },
    );
    const message = `Created webhook ${created.id} for ${ownerName(owner)} ${accountLabel(server)}`;
    await out.done(message, { prints: created.id, record: shownHook(created), what: `webhook ${created.id}` });
  },
});
