import { defineCommand } from "../../app/define.ts";
import { levelExclusive, levelOf } from "../../app/shared.ts";
import { choiceOr, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { hook } from "../../forge/hooks.ts";
import { accountLabel } from "../../profiles/server.ts";
import { ownerFlags, ownerName } from "./owner.ts";
import { authorizationHeader, checkEvents, configOf, settingFlags } from "./settings.ts";

const types = [
  ..."gitea gogs slack discord dingtalk telegram msteams feishu matrix wechatwork packagist forgejo sourcehut_builds".split(
    " ",
  ),
];

/** `tongs hook create`: POST a hook. It is active unless `--no-active` says otherwise. */
export const create = defineCommand({
  summary: "Create a webhook",
  on: "server",
  effect: "write",
  flags: {
    ...ownerFlags,
    type: choiceOr(types, "gitea", "what receives the events", { placeholder: "TYPE" }),
    system: toggle("with --admin: for all repositories, instead of a default for new ones"),
    ...settingFlags,
  },
  exclusive: [...levelExclusive, ["secretStdin", "secretFile"]],
  output: hook,
  examples: [
    ["Deliver pushes and releases", "tongs hook create --url https://ci.example.org/hook --event push,release"],
    ["With a secret", "tongs hook create --org tidewater --url https://ci.example.org/hook --secret-file secret.txt"],
  ],
  async run(context) {
    const { flags, forge, out, server, system } = context;
    if (flags.url === undefined) throw new UsageError("--url is missing");
    if (flags.system && !flags.admin) throw new UsageError("--system needs --admin");
    checkEvents(flags.event);
    const owner = await levelOf(flags, context);
    const config = { content_type: "json", ...(await configOf(flags, system)) };
    const made = await forge.hooks.create(owner, {
      type: flags.type,
      config: flags.system ? { ...config, is_system_webhook: "true" } : config,
      events: flags.event.length > 0 ? flags.event : undefined,
      branch_filter: flags.branchFilter,
      authorization_header: authorizationHeader(flags.authorizationHeaderFile),
      active: flags.active ?? true,
      name: flags.name,
    });
    const message = `Created hook ${made.id} of ${ownerName(owner)} ${accountLabel(server)}`;
    await out.done(message, { prints: made.id, record: made });
  },
});
