import { readFileFlag, readStdin } from "../../app/input.ts";
import { type FlagValues, names, text, texts, toggle, yesNo } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import type { System } from "../../system/system.ts";
import { nearest } from "../../text/nearest.ts";

/** What a hook can be set to, for `create` and `edit`. Secrets come from files or stdin, never from argv. */
export const settingFlags = {
  url: text("where the events are delivered", { placeholder: "URL" }),
  contentType: text("json or form", { placeholder: "TYPE" }),
  event: names("the events that are delivered (push)", { placeholder: "EVENT" }),
  branchFilter: text("only of branches that fit this pattern", { placeholder: "GLOB" }),
  secretStdin: toggle("read the secret that signs deliveries from stdin"),
  secretFile: text("read the secret from this file", { placeholder: "F" }),
  authorizationHeaderFile: text("read the Authorization header of deliveries from this file", { placeholder: "F" }),
  config: texts("further settings of this kind of hook: channel=…", { placeholder: "KEY=VALUE" }),
  active: yesNo("deliver events"),
  name: text("what the hook is called", { placeholder: "NAME" }),
};

/** The events of the servers (api-facts 5.1); unknown ones would be dropped without a word. */
export const events = [
  ..."create delete fork push repository release package wiki status workflow_run workflow_job".split(" "),
  ..."issues issues_only issue_assign issue_label issue_milestone issue_comment".split(" "),
  ..."pull_request pull_request_only pull_request_assign pull_request_label pull_request_milestone".split(" "),
  ..."pull_request_comment pull_request_review pull_request_sync pull_request_review_request".split(" "),
] as const;

/** Throws for an event that no server knows. */
export function checkEvents(typed: readonly string[]): void {
  const unknown = typed.find((event) => !events.includes(event));
  if (unknown === undefined) return;
  const near = nearest(unknown, events);
  throw new UsageError(
    `There is no event '${unknown}'; the server would ignore it without a word`,
    near.length > 0 ? `Did you mean: ${near.join(", ")}?` : `Events: ${events.join(", ")}`,
  );
}

/** The `config` of a hook as far as the flags name it. */
export async function configOf(
  flags: FlagValues<typeof settingFlags>,
  system: System,
): Promise<Record<string, string>> {
  const config: Record<string, string> = {};
  for (const pair of flags.config) {
    const at = pair.indexOf("=");
    if (at <= 0) throw new UsageError(`--config wants KEY=VALUE, not '${pair}'`);
    config[pair.slice(0, at)] = pair.slice(at + 1);
  }
  if (flags.url !== undefined) {
    if (!URL.canParse(flags.url)) throw new UsageError(`--url wants an address, not '${flags.url}'`);
    config["url"] = flags.url;
  }
  if (flags.contentType !== undefined) {
    if (!/^(json|form)$/.test(flags.contentType)) throw new UsageError("--content-type is one of json, form");
    config["content_type"] = flags.contentType;
  }
  const secret = await firstLine("--secret-file", flags.secretFile, system);
  if (secret !== undefined) config["secret"] = secret;
  else if (flags.secretStdin) config["secret"] = (await readStdin(system)).replace(/\r?\n$/, "");
  return config;
}

/** The header of `--authorization-header-file`. */
export function authorizationHeader(file: string | undefined, system: System): Promise<string | undefined> {
  return firstLine("--authorization-header-file", file, system);
}

async function firstLine(flag: string, file: string | undefined, system: System): Promise<string | undefined> {
  return file === undefined ? undefined : (await readFileFlag(flag, file, system)).split(/\r?\n/, 1)[0];
}
