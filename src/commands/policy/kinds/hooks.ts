import { UsageError } from "../../../failure/failure.ts";
import {
  editHook,
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

/** Those that are beside it. */
const settings = { events: list(string), branch_filter: string, active: boolean };

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
    ...settings,
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
        const body = bodyOf({ ...changed, ...pick(all, { authorization_header: string }) });
        return valuesOf(await editHook(http, level, one, body));
      },
      remove: () => call(http, hookDelete, { level, id: one.id }),
    }));
  },
  async create({ http, level }, url, values) {
    const { config, ...body } = bodyOf({ content_type: "json", active: true, ...values });
    const type = textOf(values["type"]) || "gitea";
    return valuesOf(await call(http, hookCreate, { level }, { type, ...body, config: { ...config, url } }));
  },
};

function protocolOf(url: string): string {
  return URL.canParse(url) ? new URL(url).protocol : "";
}

function valuesOf(hook: Hook): Values {
  const { config, events } = hook;
  return {
    ...pick(hook, { type: string, ...settings }),
    ...pick(config ?? {}, configFields),
    events: eventsToKeep(events),
  };
}

/** The body of the request that sets fields. */
function bodyOf(values: Values) {
  const names = [...Object.keys(configFields), "secret"].filter((name) => typeof values[name] === "string");
  const config: Record<string, string> = Object.fromEntries(names.map((name) => [name, textOf(values[name])]));
  return { ...pick(values, { ...settings, authorization_header: string }), config };
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
