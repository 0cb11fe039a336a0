import { levels } from "../http/collection.ts";
import { each, form, required, string } from "../http/form.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json, refuse } from "../http/reply.ts";
import { type Area, type Call, del, get, post, put } from "../http/route.ts";
import type { Place, SettingRecord } from "../state/records/actions.ts";

const createVariable = form("CreateVariableOption", {
  value: required(string("Value")),
  description: string("Description"),
});
const updateVariable = form("UpdateVariableOption", {
  ...each(string, "name", "description"),
  value: required(string("Value")),
});
const setSecret = form("CreateOrUpdateSecretOption", {
  data: required(string("Data")),
  description: string("Description"),
});

/** Variables and secrets of Actions. As in Gitea, there is no list of the secrets of a user. */
export const actionSettings: Area = {
  routes: levels({ repo: "any", signedIn: true, right: "owner" }).flatMap(({ path, needs, place }) => {
    const [variables, secrets] = [`${path}/actions/variables`, `${path}/actions/secrets`];
    const list = get(secrets, needs, (call) => listReply(call, all(call, "secret", place(call)), secretWire));
    return [
      get(variables, needs, (call) => listReply(call, all(call, "variable", place(call)), variableWire)),
      get(`${variables}/{name}`, needs, (call) => json(200, variableWire(find(call, "variable", place(call))))),
      post(`${variables}/{name}`, { ...needs, body: createVariable }, (call) => create(call, place(call))),
      put(`${variables}/{name}`, { ...needs, body: updateVariable }, (call) => update(call, place(call))),
      del(`${variables}/{name}`, needs, (call) => remove(call, "variable", place(call))),
      ...(path === "/user" ? [] : [list]),
      put(`${secrets}/{name}`, { ...needs, body: setSecret }, (call) => set(call, place(call))),
      del(`${secrets}/{name}`, needs, (call) => remove(call, "secret", place(call))),
    ];
  }),
};

type Kind = SettingRecord["kind"];

function all({ site }: Call, kind: Kind, { level, of }: Place): SettingRecord[] {
  const here = site.table("settings").filter((one) => one.kind === kind && one.level === level && one.of === of);
  return here.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const named = (records: readonly SettingRecord[], name: string) =>
  records.find((one) => one.name === name.toUpperCase());

function find(call: Call, kind: Kind, place: Place): SettingRecord {
  const missing = kind === "variable" ? "variable not found" : "secret was not found [name: ]";
  return found(named(all(call, kind, place), call.param("name")), missing);
}

const secretWire = ({ name, description, created }: SettingRecord) => ({ name, description, created_at: created });

function create(call: Call<{ body: typeof createVariable }>, place: Place) {
  const name = checkedName(call.param("name"));
  if (named(all(call, "variable", place), name) !== undefined) refuse(409, "variable name already exists");
  const { value, description = "" } = call.body;
  add(call, { ...place, kind: "variable", name, value: stored(value), description });
  return empty(201);
}

/** Gitea fails with 500 if the new name is taken; the sandbox says so. */
function update(call: Call<{ body: typeof updateVariable }>, place: Place) {
  const old = find(call, "variable", place);
  const { name = "", value, description = "" } = call.body;
  const next = checkedName(name === "" ? old.name : name);
  if (next !== old.name && named(all(call, "variable", place), next) !== undefined) {
    refuse(409, "variable name already exists");
  }
  call.table("settings").put({ ...old, name: next, value: stored(value), description });
  return empty(204);
}

function set(call: Call<{ body: typeof setSecret }>, place: Place) {
  const name = checkedName(call.param("name"));
  const { description = "" } = call.body;
  const old = named(all(call, "secret", place), name);
  if (old === undefined) add(call, { ...place, kind: "secret", name, value: "", description });
  else call.table("settings").put({ ...old, description });
  return empty(old === undefined ? 201 : 204);
}

function remove(call: Call, kind: Kind, place: Place) {
  call.table("settings").delete(find(call, kind, place).id);
  return empty(204);
}

function add({ site }: Call, given: Omit<SettingRecord, "id" | "created">): void {
  site.table("settings").add({ created: site.now(), ...given });
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
