import { secretDelete, secretList, secretSet } from "../../forge/secrets.ts";
import { variableCreate, variableDelete, variableGet, variableList, variableUpdate } from "../../forge/variables.ts";
import { collection } from "../http/collection.ts";
import { empty, found, refuse } from "../http/reply.ts";
import { type Area, type Call, ownLevels, route } from "../http/route.ts";
import { recordOf } from "../release.ts";
import type { SettingRecord } from "../state/records/actions.ts";

const needs = { levels: ownLevels({ repo: "any", signedIn: true, right: "owner" }) } as const;
const { user: _user, ...shared } = needs.levels;

/** Variables and secrets of Actions. As in Gitea, there is no list of the secrets of a user. */
export const actionSettings: Area = [
  collection({
    table: "settings",
    needs: { read: needs, write: needs },
    get: variableGet,
    list: [variableList, (call) => all(call, "variable")],
    find: findVariable,
    remove: [variableDelete],
    serialize: variableJson,
  }),
  route(variableCreate, needs, (call) => setVariable(call, undefined)),
  route(variableUpdate, needs, (call) => setVariable(call, findVariable(call))),
  collection({
    table: "settings",
    needs: { read: { levels: shared }, write: needs },
    list: [secretList, (call) => all(call, "secret")],
    find: (call) => found(named(call, "secret", call.param("secretname")), "secret was not found [name: ]"),
    remove: [secretDelete],
    serialize: ({ site }, secret) => recordOf(site, "Secret", secret, { created_at: secret.created }),
  }),
  route(secretSet, needs, setSecret),
];

type At<B = undefined> = Call<{ levels: typeof shared }, B>;
type Kind = SettingRecord["kind"];

function all({ site, place: { level, of } }: At, kind: Kind): SettingRecord[] {
  const here = site.table("settings").filter((one) => one.kind === kind && one.level === level && one.of === of);
  return here.sort((one, other) => (one.name < other.name ? -1 : 1));
}

const named = (call: At, kind: Kind, name: string) => all(call, kind).find((one) => one.name === name.toUpperCase());

function findVariable(call: At): SettingRecord {
  return found(named(call, "variable", call.param("variablename")), "variable not found");
}

/** Gitea fails with 500 if the new name is taken; the sandbox says so. */
function setVariable(call: At<typeof variableCreate | typeof variableUpdate>, old: SettingRecord | undefined) {
  const { value, description = "" } = call.body;
  const wanted = ("name" in call.body ? call.body.name : undefined) || (old?.name ?? call.param("variablename"));
  const name = checkedName(call, wanted);
  if (name !== old?.name && named(call, "variable", name)) refuse(409, "variable name already exists");
  const next = { name, value: value.replaceAll("\r\n", "\n"), description };
  if (old === undefined) add(call, { kind: "variable", ...next });
  else call.table("settings").put({ ...old, ...next });
  return empty(old === undefined ? 201 : 204);
}

function setSecret(call: At<typeof secretSet>) {
  const name = checkedName(call, call.param("secretname"));
  const { description = "" } = call.body;
  const old = named(call, "secret", name);
  if (old === undefined) add(call, { kind: "secret", name, value: "", description });
  else call.table("settings").put({ ...old, description });
  return empty(old === undefined ? 201 : 204);
}

function add({ site, place }: At, given: Omit<SettingRecord, "id" | "created" | "level" | "of">): void {
  site.table("settings").add({ created: site.now(), ...place, ...given });
}

/** The names that the servers keep for themselves. */
const reserved = { gitea: /^(git(ea|hub)_|ci$)/i, forgejo: /^(forgejo|git(ea|hub))_/i } as const;

/** The name as it is stored, or 400. */
function checkedName({ site }: At, name: string): string {
  const isFree = /^[A-Z_][A-Z0-9_]*$/i.test(name) && !reserved[site.release.product].test(name);
  return isFree ? name.toUpperCase() : refuse(400, "invalid variable or secret name");
}

function variableJson({ site }: At, variable: SettingRecord): Record<string, unknown> {
  const isRepo = variable.level === "repository";
  const ids = { owner_id: isRepo ? 0 : variable.of, repo_id: isRepo ? variable.of : 0 };
  return recordOf(site, "ActionVariable", variable, ids, { data: variable.value });
}
