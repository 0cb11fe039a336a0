import { hookCreate, hookDelete, hookEdit, hookEvents, hookGet, hookList, hookTest } from "../../forge/hooks.ts";
import { collection } from "../http/collection.ts";
import { found, notFound, refuse } from "../http/reply.ts";
import { type Area, type BodyOf, type Call, ownLevels, route } from "../http/route.ts";
import { recordOf } from "../release.ts";
import type { HookRecord } from "../state/records/repos.ts";
import { deliverTest } from "../webhooks/deliver.ts";

/** Gitea reports the error of its glob library. Only an unclosed brace is detected here. */
const glob = (value: unknown) =>
  typeof value === "string" && /^[^}]*\{[^}]*$/.test(value)
    ? `failed to compile regexp: error parsing regexp: missing closing ): \`^${value.replaceAll("{", "(")}$\``
    : undefined;

const body = { branch_filter: [glob] };
const ofRepo = { repo: "any", signedIn: true, right: "admin" } as const;
const own = { levels: { ...ownLevels(ofRepo), server: { siteAdmin: true } }, body } as const;
const types = new Set(
  "gitea gogs slack discord dingtalk telegram msteams feishu matrix wechatwork packagist".split(" "),
);

/** Webhooks of repositories, organizations, users and the server, and what they deliver (webhooks/). */
export const hooks: Area = [
  collection({
    table: "hooks",
    needs: { read: own, write: own },
    get: hookGet,
    list: [hookList, list],
    find: (call) => found(call.table("hooks").find((hook) => hook.id === call.number("id") && isHere(call, hook))),
    headers: "total",
    create: [hookCreate, create],
    edit: [hookEdit, edit],
    remove: [hookDelete],
    serialize: hookJson,
  }),
  route(hookTest, ofRepo, (call) => {
    if (call.repo.empty) notFound("repository is empty");
    const hook = call.table("hooks").get(call.number("id"));
    const { site, repo, currentUser } = call;
    const own = found(hook?.level === "repository" && hook.of === repo.id ? hook : undefined);
    site.store.after(() => deliverTest(site, own, { repo, doer: currentUser, ref: call.query.get("ref") ?? "" }));
  }),
];

/** Whether a hook is of the level of a request. Those of the server are system hooks and default hooks. */
const isHere = ({ place }: Call<typeof own>, { level, of }: HookRecord) =>
  (level === "system" || level === "default" ? "server" : level) === place.level && of === place.of;

/** Lists hooks; of the server the system hooks, or the kind selected by `type`. */
function list(call: Call<typeof own>): HookRecord[] {
  const type = call.query.get("type");
  const isAll = type === "all" || call.place.level !== "server";
  const kind = type === "default" ? "default" : "system";
  return call.table("hooks").filter((hook) => isHere(call, hook) && (isAll || hook.level === kind));
}

/** The level of a new hook. */
function levelOf({ place }: Call<typeof own>, { config }: BodyOf<typeof hookCreate>): HookRecord["level"] {
  if (place.level !== "server") return place.level;
  const isSystem = config["is_system_webhook"] ?? "false";
  if (!/^(1|0|t|f|true|false)$/i.test(isSystem)) refuse(422, "Invalid is_system_webhook value");
  return /^(1|t|true)$/i.test(isSystem) ? "system" : "default";
}

function create(call: Call<typeof own>, body: BodyOf<typeof hookCreate>): HookRecord {
  const { site, place } = call;
  const level = levelOf(call, body);
  const { type, config, events, authorization_header = "", ...rest } = body;
  if (!types.has(type)) refuse(422, `Invalid hook type: ${type}`);
  for (const name of ["url", "content_type"]) {
    if (config[name] === undefined) refuse(422, `Missing config option: ${name}`);
  }
  checkConfig(config);
  if (type === "slack" && config["channel"] === undefined) refuse(422, "Missing config option: channel");
  if (type === "slack" && config["channel"] === "") refuse(400, "Invalid slack channel name");
  return site.table("hooks").add({
    level,
    of: place.of,
    type,
    name: "",
    branch_filter: "",
    active: false,
    ...rest,
    config: visibleConfig(type, config),
    events: eventsOf(site, events),
    secret: config["secret"] ?? "",
    authorization: authorization_header,
    created: site.now(),
    updated: site.now(),
  });
}

function checkConfig({ content_type, url }: Readonly<Record<string, string>>): void {
  if (content_type !== undefined && content_type !== "json" && content_type !== "form")
    refuse(422, "Invalid content type");
  if (url !== undefined && !/^https?:\/\/[^\s/]+/i.test(url)) refuse(422, "Invalid url");
}

/** The part of the configuration shown in responses, without the secret. */
function visibleConfig(type: string, config: Readonly<Record<string, string>>): Record<string, string> {
  const { content_type = "", url = "", channel = "", username = "", icon_url = "", color = "" } = config;
  return type === "slack" ? { channel, color, content_type, icon_url, url, username } : { content_type, url };
}

/** Edits a hook. Omitted fields are reset, except the name, the configuration and whether it is active. */
function edit({ site }: Call, hook: HookRecord, body: BodyOf<typeof hookEdit>): HookRecord {
  const { config = {}, events, authorization_header = "", ...rest } = body;
  checkConfig(config);
  return site.table("hooks").put({
    ...hook,
    branch_filter: "",
    ...rest,
    config: visibleConfig(hook.type, { ...hook.config, ...config }),
    events: eventsOf(site, events),
    secret: config["secret"] ?? hook.secret ?? "",
    authorization: authorization_header,
    updated: site.now(),
  });
}

/** `Hook`, without the secret and the authorization header. */
function hookJson({ site }: Call, hook: HookRecord): Record<string, unknown> {
  const { url, content_type } = hook.config;
  const times = { updated_at: hook.updated, created_at: hook.created };
  return recordOf(site, "Hook", hook, times, { url, content_type });
}

/** The events that a word of a hook stands for: itself, or a group. On Forgejo, a review is one of two. */
function meaningOf(word: string, isForgejo: boolean): readonly string[] {
  if (word === "issues" || word === "pull_request") {
    const group = hookEvents.filter((event) => event.startsWith(word.replace(/s$/, "")) && !event.endsWith("_only"));
    return group.flatMap((event) => (event === word ? [event] : meaningOf(event, isForgejo)));
  }
  const ofReviews = ["pull_request_review_approved", "pull_request_review_rejected"];
  if (isForgejo && word === "pull_request_review") return ofReviews;
  if (isForgejo ? /^(status|workflow)/.test(word) : ofReviews.includes(word)) return [];
  return [...ofReviews, ...hookEvents].includes(word) ? [word.replace(/_only$/, "")] : [];
}

/** Expands the events of a hook: the default is push, unknown events are dropped, and groups are expanded. */
function eventsOf({ release }: Call["site"], named: readonly string[] | undefined): readonly string[] {
  const words = named === undefined || named.length === 0 ? ["push"] : named;
  const isForgejo = release.product === "forgejo";
  return [...new Set(words.flatMap((word) => meaningOf(word.toLowerCase(), isForgejo)))];
}
