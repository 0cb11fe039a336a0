import { type BodyOf, boolean, form, map, required, string, strings } from "../http/form.ts";
import { type ListHeaders, listReply } from "../http/paging.ts";
import { empty, found, json, notFound, Refusal, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, patch, post } from "../http/route.ts";
import type { HookLevel, HookRecord } from "../state/records/repos.ts";
import type { Store } from "../state/store.ts";
import { deliverRefs, deliverTest, watchForEvents } from "../webhooks/events.ts";

/** Gitea reports the error of its glob library. Only an unclosed brace is detected here. */
const glob = (value: unknown) =>
  typeof value === "string" && /^[^}]*\{[^}]*$/.test(value)
    ? `failed to compile regexp: error parsing regexp: missing closing ): \`^${value.replaceAll("{", "(")}$\``
    : undefined;

const fields = {
  events: strings("Events"),
  branch_filter: string("BranchFilter", glob),
  authorization_header: string("AuthorizationHeader"),
  active: boolean("Active"),
  name: string("Name"),
};
const createOption = form("CreateHookOption", {
  type: required(string("Type")),
  config: required(map("Config")),
  ...fields,
});
const editOption = form("EditHookOption", { config: map("Config"), ...fields });
type CreateBody = BodyOf<typeof createOption>;
type EditBody = BodyOf<typeof editOption>;

const ofRepo = { repo: "any", signedIn: true, right: "admin" } as const;
const ofOrg = { org: true, signedIn: true, orgOwner: true } as const;
const mine = { signedIn: true } as const;
const ofServer = { siteAdmin: true } as const;
const creates = { body: createOption } as const;
const edits = { body: editOption } as const;

interface Place {
  readonly level: HookLevel;
  readonly of: number;
}
const inRepo = ({ repo }: Call<typeof ofRepo>): Place => ({ level: "repository", of: repo.id });
const inOrg = ({ org }: Call<typeof ofOrg>): Place => ({ level: "owner", of: org.id });
const inMine = ({ currentUser }: Call<typeof mine>): Place => ({ level: "owner", of: currentUser.id });

const repoHooks = "/repos/{owner}/{repo}/hooks";
const orgHooks = "/orgs/{org}/hooks";
const types = new Set(
  "gitea gogs slack discord dingtalk telegram msteams feishu matrix wechatwork packagist".split(" "),
);

/** Webhooks of repositories, organizations, users and the server, and what they deliver (webhooks/). */
export const hooks: Area = {
  routes: [
    get(repoHooks, ofRepo, (call) => list(call, inRepo(call), "total")),
    post(repoHooks, { ...ofRepo, ...creates }, (call) => create(call, inRepo(call), call.body)),
    get(`${repoHooks}/{id}`, ofRepo, (call) => json(200, hookWire(findHook(call, inRepo(call))))),
    patch(`${repoHooks}/{id}`, { ...ofRepo, ...edits }, (call) => edit(call, findHook(call, inRepo(call)), call.body)),
    del(`${repoHooks}/{id}`, ofRepo, (call) => remove(call, findHook(call, inRepo(call)))),
    post(`${repoHooks}/{id}/tests`, ofRepo, (call) => {
      if (call.repo.empty) notFound("repository is empty");
      const hook = findHook(call, inRepo(call));
      const { site, repo, currentUser } = call;
      site.store.after(() => deliverTest(site, hook, { repo, doer: currentUser, ref: call.query.get("ref") ?? "" }));
      return empty(204);
    }),
    get(`${repoHooks}/git`, ofRepo, () => refuse(403, "must be allowed to edit Git hooks")),
    get(`${repoHooks}/git/{name}`, ofRepo, () => refuse(403, "must be allowed to edit Git hooks")),
    get(orgHooks, ofOrg, (call) => list(call, inOrg(call), "total and link")),
    post(orgHooks, { ...ofOrg, ...creates }, (call) => create(call, inOrg(call), call.body)),
    get(`${orgHooks}/{id}`, ofOrg, (call) => json(200, hookWire(findHook(call, inOrg(call))))),
    patch(`${orgHooks}/{id}`, { ...ofOrg, ...edits }, (call) => edit(call, findHook(call, inOrg(call)), call.body)),
    del(`${orgHooks}/{id}`, ofOrg, (call) => remove(call, findHook(call, inOrg(call)))),
    get("/user/hooks", mine, (call) => list(call, inMine(call), "total and link")),
    post("/user/hooks", { ...mine, ...creates }, (call) => create(call, inMine(call), call.body)),
    get("/user/hooks/{id}", mine, (call) => json(200, hookWire(findHook(call, inMine(call))))),
    patch("/user/hooks/{id}", { ...mine, ...edits }, (call) => edit(call, findHook(call, inMine(call)), call.body)),
    del("/user/hooks/{id}", mine, (call) => remove(call, findHook(call, inMine(call)))),
    get("/admin/hooks", ofServer, listServer),
    post("/admin/hooks", { ...ofServer, ...creates }, createOnServer),
    get("/admin/hooks/{id}", ofServer, (call) => json(200, hookWire(found(findServerHook(call))))),
    patch("/admin/hooks/{id}", { ...ofServer, ...edits }, (call) => {
      const hook = findServerHook(call);
      if (hook === undefined) throw new Refusal(500, `webhook does not exist [id: ${call.number("id")}]`);
      return edit(call, hook, call.body);
    }),
    del("/admin/hooks/{id}", ofServer, (call) => remove(call, found(findServerHook(call)))),
  ],
  started: watchForEvents,
  refsChanged: deliverRefs,
};

function list(call: Call, { level, of }: Place, headers: ListHeaders) {
  const hooks = call.site.store.table("hooks").filter((hook) => hook.level === level && hook.of === of);
  return listReply(call, hooks, hookWire, headers);
}

function findHook(call: Call, { level, of }: Place): HookRecord {
  const hook = call.site.store.table("hooks").get(call.number("id"));
  return found(hook?.level === level && hook.of === of ? hook : undefined);
}

const isServers = (hook: HookRecord) => hook.level === "system" || hook.level === "default";

function findServerHook(call: Call): HookRecord | undefined {
  const hook = call.site.store.table("hooks").get(call.number("id"));
  return hook !== undefined && isServers(hook) ? hook : undefined;
}

/** Lists system hooks, or the known level selected by `type`. */
function listServer(call: Call) {
  const type = call.query.get("type");
  const fits = (hook: HookRecord) =>
    type === "all" ? isServers(hook) : hook.level === (type === "default" ? "default" : "system");
  return listReply(call, call.site.store.table("hooks").filter(fits), hookWire);
}

function createOnServer(call: Call<typeof creates>) {
  const isSystem = call.body.config["is_system_webhook"] ?? "false";
  if (!/^(1|0|t|f|true|false)$/i.test(isSystem)) refuse(422, "Invalid is_system_webhook value");
  return create(call, { level: /^(1|t|true)$/i.test(isSystem) ? "system" : "default", of: 0 }, call.body);
}

function create({ site }: Call, { level, of }: Place, body: CreateBody) {
  const { type, config } = body;
  if (!types.has(type)) refuse(422, `Invalid hook type: ${type}`);
  for (const name of ["url", "content_type"]) {
    if (config[name] === undefined) refuse(422, `Missing config option: ${name}`);
  }
  checkConfig(config);
  if (type === "slack" && config["channel"] === undefined) refuse(422, "Missing config option: channel");
  if (type === "slack" && config["channel"] === "") refuse(400, "Invalid slack channel name");
  const now = site.now();
  const hook = newHook(site.store, {
    level,
    of,
    type,
    name: body.name ?? "",
    branch_filter: body.branch_filter ?? "",
    config: visibleConfig(type, config),
    events: eventsOf(body.events),
    active: body.active ?? false,
    secret: config["secret"] ?? "",
    authorization: body.authorization_header ?? "",
    created: now,
    updated: now,
  });
  return json(201, hookWire(hook));
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
function edit({ site }: Call, hook: HookRecord, body: EditBody) {
  const config = body.config ?? {};
  checkConfig(config);
  const next: HookRecord = {
    ...hook,
    config: visibleConfig(hook.type, { ...hook.config, ...config }),
    events: eventsOf(body.events),
    branch_filter: body.branch_filter ?? "",
    active: body.active ?? hook.active,
    secret: config["secret"] ?? hook.secret ?? "",
    authorization: body.authorization_header ?? "",
    name: body.name ?? hook.name,
    updated: site.now(),
  };
  return json(200, hookWire(site.store.table("hooks").put(next)));
}

function remove({ site }: Call, { id }: HookRecord) {
  site.store.table("hooks").delete(id);
  return empty(204);
}

/** `Hook`, without the secret and the authorization header. */
function hookWire(hook: HookRecord): Record<string, unknown> {
  const { id, name, type, branch_filter, config, events, active, updated, created } = hook;
  return {
    id,
    name,
    type,
    branch_filter,
    config,
    events,
    authorization_header: "",
    active,
    updated_at: updated,
    created_at: created,
  };
}

/** Creates a webhook. */
function newHook(store: Store, given: Omit<HookRecord, "id">): HookRecord {
  return store.table("hooks").add({ ...given });
}

const single =
  "create delete fork push repository release package wiki status workflow_run workflow_job issue_assign issue_label " +
  "issue_milestone issue_comment pull_request_assign pull_request_label pull_request_milestone pull_request_comment " +
  "pull_request_review pull_request_sync pull_request_review_request";
const issueEvents = "issues issue_assign issue_label issue_milestone issue_comment";
const pullEvents =
  "pull_request pull_request_assign pull_request_label pull_request_milestone pull_request_comment " +
  "pull_request_review pull_request_sync pull_request_review_request";

const meaning: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...single.split(" ").map((word) => [word, [word]] as const),
  ["issues", issueEvents.split(" ")],
  ["issues_only", ["issues"]],
  ["pull_request", pullEvents.split(" ")],
  ["pull_request_only", ["pull_request"]],
]);

/** Expands the events of a hook: the default is push, unknown events are dropped, and groups are expanded. */
function eventsOf(named: readonly string[] | undefined): readonly string[] {
  const words = named === undefined || named.length === 0 ? ["push"] : named;
  return [...new Set(words.flatMap((word) => meaning.get(word.toLowerCase()) ?? []))];
}
