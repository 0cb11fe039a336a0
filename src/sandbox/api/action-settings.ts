import { form, required, string } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, post, put, type Route } from "../http/route.ts";
import type { SettingPlace, SettingRecord } from "../state/records/actions.ts";

const createVariable = form("CreateVariableOption", {
  value: required(string("Value")),
  description: string("Description"),
});
const updateVariable = form("UpdateVariableOption", {
  name: string("Name"),
  value: required(string("Value")),
  description: string("Description"),
});
const setSecret = form("CreateOrUpdateSecretOption", {
  data: required(string("Data")),
  description: string("Description"),
});

const ofRepo = { repo: "any", signedIn: true, right: "owner" } as const;
const ofOrg = { org: true, signedIn: true, orgOwner: true } as const;
const mine = { signedIn: true } as const;
const creates = { body: createVariable } as const;
const updates = { body: updateVariable } as const;
const sets = { body: setSecret } as const;

const inRepo = ({ repo }: Call<typeof ofRepo>): SettingPlace => ({ level: "repository", of: repo.id });
const inOrg = ({ org }: Call<typeof ofOrg>): SettingPlace => ({ level: "owner", of: org.id });
const inMine = ({ currentUser }: Call<typeof mine>): SettingPlace => ({ level: "owner", of: currentUser.id });

const [repoActions, orgActions, userActions] = [
  "/repos/{owner}/{repo}/actions",
  "/orgs/{org}/actions",
  "/user/actions",
];

const repoRoutes: readonly Route[] = [
  get(`${repoActions}/variables`, ofRepo, (call) => listVariables(call, inRepo(call))),
  get(`${repoActions}/variables/{name}`, ofRepo, (call) =>
    json(200, variableWire(find(call, "variable", inRepo(call)))),
  ),
  post(`${repoActions}/variables/{name}`, { ...ofRepo, ...creates }, (call) => create(call, inRepo(call))),
  put(`${repoActions}/variables/{name}`, { ...ofRepo, ...updates }, (call) => update(call, inRepo(call))),
  del(`${repoActions}/variables/{name}`, ofRepo, (call) => remove(call, "variable", inRepo(call))),
  get(`${repoActions}/secrets`, ofRepo, (call) => listSecrets(call, inRepo(call))),
  put(`${repoActions}/secrets/{name}`, { ...ofRepo, ...sets }, (call) => set(call, inRepo(call))),
  del(`${repoActions}/secrets/{name}`, ofRepo, (call) => remove(call, "secret", inRepo(call))),
];

const orgRoutes: readonly Route[] = [
  get(`${orgActions}/variables`, ofOrg, (call) => listVariables(call, inOrg(call))),
  get(`${orgActions}/variables/{name}`, ofOrg, (call) => json(200, variableWire(find(call, "variable", inOrg(call))))),
  post(`${orgActions}/variables/{name}`, { ...ofOrg, ...creates }, (call) => create(call, inOrg(call))),
  put(`${orgActions}/variables/{name}`, { ...ofOrg, ...updates }, (call) => update(call, inOrg(call))),
  del(`${orgActions}/variables/{name}`, ofOrg, (call) => remove(call, "variable", inOrg(call))),
  get(`${orgActions}/secrets`, ofOrg, (call) => listSecrets(call, inOrg(call))),
  put(`${orgActions}/secrets/{name}`, { ...ofOrg, ...sets }, (call) => set(call, inOrg(call))),
  del(`${orgActions}/secrets/{name}`, ofOrg, (call) => remove(call, "secret", inOrg(call))),
];

const userRoutes: readonly Route[] = [
  get(`${userActions}/variables`, mine, (call) => listVariables(call, inMine(call))),
  get(`${userActions}/variables/{name}`, mine, (call) => json(200, variableWire(find(call, "variable", inMine(call))))),
  post(`${userActions}/variables/{name}`, { ...mine, ...creates }, (call) => create(call, inMine(call))),
  put(`${userActions}/variables/{name}`, { ...mine, ...updates }, (call) => update(call, inMine(call))),
  del(`${userActions}/variables/{name}`, mine, (call) => remove(call, "variable", inMine(call))),
  put(`${userActions}/secrets/{name}`, { ...mine, ...sets }, (call) => set(call, inMine(call))),
  del(`${userActions}/secrets/{name}`, mine, (call) => remove(call, "secret", inMine(call))),
];

/** Variables and secrets of Actions. As in Gitea, there is no list of the secrets of a user. */
export const actionSettings: Area = {
  routes: [...repoRoutes, ...orgRoutes, ...userRoutes],
};

type Kind = SettingRecord["kind"];

function all({ site }: Call, kind: Kind, { level, of }: SettingPlace): SettingRecord[] {
  const here = site.store.table("settings").filter((one) => one.kind === kind && one.level === level && one.of === of);
  return here.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const named = (records: readonly SettingRecord[], name: string) =>
  records.find((one) => one.name === name.toUpperCase());

function find(call: Call, kind: Kind, place: SettingPlace): SettingRecord {
  const missing = kind === "variable" ? "variable not found" : "secret was not found [name: ]";
  return found(named(all(call, kind, place), call.param("name")), missing);
}

const listVariables = (call: Call, place: SettingPlace) => listReply(call, all(call, "variable", place), variableWire);

const listSecrets = (call: Call, place: SettingPlace) =>
  listReply(call, all(call, "secret", place), ({ name, description, created }) => ({
    name,
    description,
    created_at: created,
  }));

function create(call: Call<typeof creates>, place: SettingPlace) {
  const name = checkedName(call.param("name"));
  if (named(all(call, "variable", place), name) !== undefined) refuse(409, "variable name already exists");
  const { value, description = "" } = call.body;
  add(call, { ...place, kind: "variable", name, value: stored(value), description });
  return empty(201);
}

/** Gitea fails with 500 if the new name is taken; the sandbox says so. */
function update(call: Call<typeof updates>, place: SettingPlace) {
  const old = find(call, "variable", place);
  const { name = "", value, description = "" } = call.body;
  const next = checkedName(name === "" ? old.name : name);
  if (next !== old.name && named(all(call, "variable", place), next) !== undefined) {
    refuse(409, "variable name already exists");
  }
  call.site.store.table("settings").put({ ...old, name: next, value: stored(value), description });
  return empty(204);
}

function set(call: Call<typeof sets>, place: SettingPlace) {
  const name = checkedName(call.param("name"));
  const { description = "" } = call.body;
  const old = named(all(call, "secret", place), name);
  if (old === undefined) add(call, { ...place, kind: "secret", name, value: "", description });
  else call.site.store.table("settings").put({ ...old, description });
  return empty(old === undefined ? 201 : 204);
}

function remove(call: Call, kind: Kind, place: SettingPlace) {
  call.site.store.table("settings").delete(find(call, kind, place).id);
  return empty(204);
}

function add({ site }: Call, given: Omit<SettingRecord, "id" | "created">): void {
  site.store.table("settings").add({ created: site.now(), ...given });
}

const stored = (value: string) => value.replaceAll("\r\n", "\n");

/** The name as it is stored, or 400. */
function checkedName(name: string): string {
  if (!/^[A-Z_][A-Z0-9_]*$/i.test(name) || /^(git(ea|hub)_|ci$)/i.test(name)) {
    refuse(400, "invalid variable or secret name");
  }
  return name.toUpperCase();
}

function variableWire({ level, of, name, value, description }: SettingRecord): Record<string, unknown> {
  const isRepo = level === "repository";
  return { owner_id: isRepo ? 0 : of, repo_id: isRepo ? of : 0, name, data: value, description };
}
