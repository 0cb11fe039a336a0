import { readSecretFile } from "../../app/input.ts";
import { type FlagValues, names, text, texts, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { hookEvents } from "../../forge/hooks.ts";
import type { System } from "../../system/system.ts";
import { nearest } from "../../text/nearest.ts";

/** The flags of `create` and `edit`. Secrets are read from files or stdin, never from the command line. */
export const settingFlags = {
  url: text("address to deliver events to", { placeholder: "URL" }),
  contentType: text("content type of deliveries: json or form", { placeholder: "TYPE" }),
  event: names("events to deliver", { placeholder: "EVENT" }),
  branchFilter: text("deliver only events of branches that match this pattern", { placeholder: "GLOB" }),
  secretStdin: toggle("read the secret that signs deliveries from stdin", { readsStdin: true }),
  secretFile: text("read the secret from a file", { names: "password", placeholder: "FILE" }),
  authorizationHeaderFile: text("read the Authorization header of deliveries from a file", {
    names: "password",
    placeholder: "FILE",
  }),
  config: texts("setting specific to the type of webhook: channel=…", { placeholder: "KEY=VALUE" }),
  active: yesNo("deliver events"),
  name: text("name of the webhook", { placeholder: "NAME" }),
};

function checkEvents(typed: readonly string[]): void {
  const unknown = typed.find((event) => !hookEvents.includes(event));
  if (unknown === undefined) return;
  const near = nearest(unknown, hookEvents);
  throw new UsageError(
    `Unknown event '${unknown}'`,
    near.length > 0 ? `Did you mean: ${near.join(", ")}?` : `Available: ${hookEvents.join(", ")}`,
  );
}

/** What the flags set of a hook; fields that were not given are undefined. Throws a usage error for an unknown event. */
export async function settingsOf(flags: FlagValues<typeof settingFlags>, system: System) {
  checkEvents(flags.event);
  return {
    config: await configOf(flags, system),
    events: flags.event.length > 0 ? flags.event : undefined,
    branch_filter: flags.branchFilter,
    authorization_header: await readSecretFile("--authorization-header-file", flags.authorizationHeaderFile, system),
    active: flags.active,
    name: flags.name,
  };
}

/** The part of the `config` of a hook that the flags set. */
async function configOf(flags: FlagValues<typeof settingFlags>, system: System): Promise<Record<string, string>> {
  const config: Record<string, string> = {};
  for (const pair of flags.config) {
    const at = pair.indexOf("=");
    if (at <= 0) throw new UsageError(`--config must be KEY=VALUE, not '${pair}'`);
    config[pair.slice(0, at)] = pair.slice(at + 1);
  }
  if (flags.url !== undefined) {
    if (!URL.canParse(flags.url)) throw new UsageError(`--url must be a URL, not '${flags.url}'`);
    config["url"] = flags.url;
  }
  if (flags.contentType !== undefined) {
    if (!/^(json|form)$/.test(flags.contentType)) throw new UsageError("--content-type must be json or form");
    config["content_type"] = flags.contentType;
  }
  const secret = flags.secretStdin
    ? await readSecretFile("--secret-stdin", "-", system)
    : await readSecretFile("--secret-file", flags.secretFile, system);
  return secret === undefined ? config : { ...config, secret };
}
