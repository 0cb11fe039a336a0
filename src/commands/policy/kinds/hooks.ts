import { UsageError } from "../../../failure/failure.ts";
import {
  eventsToKeep,
  type Hook,
  hookCreate,
  hookDelete,
  hookEdit,
  hookEvents,
  hookList,
} from "../../../forge/hooks.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { hookAddress } from "../../../http/mask.ts";
import { boolean, list, string } from "../../../shape/shape.ts";
import { type Kind, listOf, pick, textOf, type Values } from "./kind.ts";

/** The fields that are in a hook's `config`. All but the first are those of Slack. */
const configFields = { content_type: string, channel: string, username: string, icon_url: string, color: string };

/** The webhooks of a repository or an organization, by the address that they deliver to. */
export const hooks: Kind = {
  title: "hook",
  repeats: true,
  description: "webhooks by the address to deliver to; secrets are named environment variables",
  sends: { create: hookCreate, update: hookEdit, delete: hookDelete },
  form: "named",
  fixed: ["type"],
  fields: {
    type: string,
    ...configFields,
    events: list(string),
    branch_filter: string,
    active: boolean,
    secret_env: string,
    authorization_header_env: string,
  },
  shown: (url, { type }) => hookAddress(url, textOf(type) || undefined),
  nameProblem: (url) => (/^https?:$/.test(protocolOf(url)) ? undefined : "must be an address: http:// or https://"),
  normalize(values) {
    const wanted = listOf(values["events"]);
    const unknown = wanted.find((event) => !hookEvents.includes(event));
    if (unknown !== undefined) throw new UsageError(`unknown event '${unknown}'`);
    return "events" in values ? { ...values, events: singleEvents(wanted) } : values;
  },
  async read({ http, level }) {
    return (await collect(call(http, hookList, { level }))).map((one) => ({
      name: one.config?.["url"] ?? one.url ?? "",
      values: valuesOf(one),
      // Gitea does not return the header (docs/server-differences.md, "Hooks").
      cleared: one.authorization_header ? [] : ["authorization_header"],
      async update(changed, all) {
        const { active = one.active ?? false, branch_filter = one.branch_filter } = changed;
        const header = textOf(all["authorization_header"]) || one.authorization_header;
        const config = configOf(changed);
        const edited = await call(
          http,
          hookEdit,
          { level, id: one.id },
          {
            // The journal can undo an edit that does not repeat the address.
            config: Object.keys(config).length > 0 ? { ...one.config, ...config } : undefined,
            // Servers clear what is left out (docs/server-differences.md, "Hooks").
            events: "events" in changed ? listOf(changed["events"]) : eventsToKeep(one.events),
            branch_filter: textOf(branch_filter),
            authorization_header: header === "" ? undefined : header,
            active: active === true,
            name: one.name,
          },
        );
        return valuesOf(edited);
      },
      remove: () => call(http, hookDelete, { level, id: one.id }),
    }));
  },
  async create({ http, level }, url, values) {
    const { type = "gitea", content_type = "json", active = true, branch_filter } = values;
    const created = await call(
      http,
      hookCreate,
      { level },
      {
        type: textOf(type),
        config: { ...configOf({ ...values, content_type }), url },
        events: "events" in values ? listOf(values["events"]) : undefined,
        branch_filter: textOf(branch_filter),
        authorization_header: textOf(values["authorization_header"]) || undefined,
        active: active === true,
      },
    );
    return valuesOf(created);
  },
};

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}

function valuesOf(hook: Hook): Values {
  return {
    ...pick(hook, { type: string, branch_filter: string, active: boolean }),
    ...pick(hook.config ?? {}, configFields),
    events: eventsToKeep(hook.events),
  };
}

/** The part of a hook's `config` that fields set. */
function configOf(values: Values): Record<string, string> {
  const names = [...Object.keys(configFields), "secret"].filter((name) => typeof values[name] === "string");
  return Object.fromEntries(names.map((name) => [name, textOf(values[name])]));
}

/** The events with `issues` and `pull_request`, which stand for all of their kind, spelled out. */
function singleEvents(named: readonly string[]): string[] {
  const single = named.flatMap((event) => {
    if (event !== "issues" && event !== "pull_request") return [event];
    const stem = event === "issues" ? "issue_" : "pull_request_";
    return [`${event}_only`, ...hookEvents.filter((one) => one.startsWith(stem) && one !== `${event}_only`)];
  });
  return [...new Set(single)];
}
