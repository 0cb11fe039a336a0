import type {
  CreateOrUpdateSecretOption,
  CreateVariableOption,
  UpdateVariableOption,
} from "../../forge/generated/operations.ts";
import { secretDelete, secretList, secretSet } from "../../forge/secrets.ts";
import { variableCreate, variableDelete, variableGet, variableList, variableUpdate } from "../../forge/variables.ts";
import { listReply } from "../http/paging.ts";
import { empty, found, json, refuse } from "../http/reply.ts";
import { type Area, type Call, ownLevels, route } from "../http/route.ts";
import { recordOf } from "../release.ts";
import type { SettingRecord } from "../state/records/actions.ts";

const needs = { levels: ownLevels({ repo: "any", signedIn: true, right: "owner" }) } as const;
const { user: _user, ...shared } = needs.levels;

/** Variables and secrets of Actions. As in Gitea, there is no list of the secrets of a user. */
export const actionSettings: Area = {
  routes: [
    route(variableList, needs, (call) => listReply(call, all(call, "variable"), variableJson)),
    route(variableGet, needs, (call) => json(200, variableJson(call, find(call, "variable")))),
    route(variableCreate, needs, create),
    route(variableUpdate, needs, update),
    route(variableDelete, needs, (call) => remove(call, "variable")),
    route(secretList, { levels: shared }, (call) => listReply(call, all(call, "secret"), secretJson)),
    route(secretSet, needs, set),
    route(secretDelete, needs, (call) => remove(call, "secret")),
  ],
};

type At<B = undefined> = Call<typeof needs, B>;
type Kind = SettingRecord["kind"];

function all({ site, place: { level, of } }: At, kind: Kind): SettingRecord[] {
  const here = site.table("settings").filter((one) => one.kind === kind && one.level === level && one.of === of);
  return here.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const named = (records: readonly SettingRecord[], name: string) =>
  records.find((one) => one.name === name.toUpperCase());

function find(call: At, kind: Kind): SettingRecord {
  const missing = kind === "variable" ? "variable not found" : "secret was not found [name: ]";
  return found(named(all(call, kind), call.param(`${kind}name`)), missing);
}

const secretJson = ({ site }: At, secret: SettingRecord) =>
  recordOf(site, "Secret", secret, { created_at: secret.created });

function create(call: At<CreateVariableOption>) {
  const name = checkedName(call, call.param("variablename"));
  if (named(all(call, "variable"), name) !== undefined) refuse(409, "variable name already exists");
  const { value, description = "" } = call.body;
  add(call, { ...call.place, kind: "variable", name, value: stored(value), description });
  return empty(201);
}

/** Gitea fails with 500 if the new name is taken; the sandbox says so. */
function update(call: At<UpdateVariableOption>) {
  const old = find(call, "variable");
  const { name = "", value, description = "" } = call.body;
  const next = checkedName(call, name === "" ? old.name : name);
  if (next !== old.name && named(all(call, "variable"), next) !== undefined) {
    refuse(409, "variable name already exists");
  }
  call.table("settings").put({ ...old, name: next, value: stored(value), description });
  return empty(204);
}

function set(call: At<CreateOrUpdateSecretOption>) {
  const name = checkedName(call, call.param("secretname"));
  const { description = "" } = call.body;
  const old = named(all(call, "secret"), name);
  if (old === undefined) add(call, { ...call.place, kind: "secret", name, value: "", description });
  else call.table("settings").put({ ...old, description });
  return empty(old === undefined ? 201 : 204);
}

function remove(call: At, kind: Kind) {
  call.table("settings").delete(find(call, kind).id);
  return empty(204);
}

function add({ site }: Call, given: Omit<SettingRecord, "id" | "created">): void {
  site.table("settings").add({ created: site.now(), ...given });
}

const stored = (value: string) => value.replaceAll("\r\n", "\n");

/** The names that the servers keep for themselves. */
const reserved = { gitea: /^(git(ea|hub)_|ci$)/i, forgejo: /^(forgejo|git(ea|hub))_/i } as const;

/** The name as it is stored, or 400. */
function checkedName({ site }: At, name: string): string {
  if (!/^[A-Z_][A-Z0-9_]*$/i.test(name) || reserved[site.release.product].test(name)) {
    refuse(400, "invalid variable or secret name");
  }
  return name.toUpperCase();
}

function variableJson({ site }: At, variable: SettingRecord): Record<string, unknown> {
  const isRepo = variable.level === "repository";
  const ids = { owner_id: isRepo ? 0 : variable.of, repo_id: isRepo ? variable.of : 0 };
  return recordOf(site, "ActionVariable", variable, ids, { data: variable.value });
}
