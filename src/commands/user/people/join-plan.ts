import pMap from "p-map";
import type { BaseContext, ServerContext } from "../../../app/context.ts";
import { Literal } from "../../../app/yaml-file.ts";
import { userKeyAdd } from "../../../forge/admin-users.ts";
import { userKeyList } from "../../../forge/keys.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { presentOrgName } from "../../../forge/orgs.ts";
import { findTeam, teamGet, teamMemberAdd, teamMemberCheck } from "../../../forge/teams.ts";
import { isOrganization, type User } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { ifFound } from "../../../http/errors.ts";
import { once } from "../../../system/concurrency.ts";
import { findUser } from "../import/existing-users.ts";
import { addressesUnlisted, addressOwner, addressTaken, lookUpServer } from "../import/look-up.ts";
import {
  alreadyExists,
  changedFields,
  detailsOf,
  type OnExisting,
  takenByOrganization,
  unseenFields,
  unseenReason,
} from "../import/outcome.ts";
import { type FieldValue, importFields, madeBy, parseField, type Row } from "../import/rows.ts";
import type { PeopleFile } from "./file.ts";
import type { Outcome } from "./outcome.ts";

/** One step of somebody who comes, as data: the journal keeps it. The fields of the account stay in the file. */
export type JoinStep =
  | { readonly step: "account"; readonly does: "create" | "update" | "nothing"; readonly details?: string }
  | { readonly step: "team"; readonly org: string; readonly team: string; readonly id: number }
  | { readonly step: "key"; readonly key: string; readonly title: string };

/** A step as it is printed; of an account with what is done. */
export function describe(step: JoinStep): Pick<Outcome, "step" | "target" | "reason"> {
  const target = targetOf(step);
  const details = step.step === "account" ? step.details : undefined;
  return {
    step: step.step,
    ...(target === undefined ? {} : { target }),
    ...(details === undefined ? {} : { reason: details }),
  };
}

function targetOf(step: JoinStep): string | undefined {
  if (step.step === "team") return `${step.org}/${step.team}`;
  return step.step === "key" ? step.title : undefined;
}

/** Somebody who comes, as the file says. */
export interface Joining {
  readonly name: string;
  /** The fields of the account, as a row of `user import`. */
  readonly row: Row;
  readonly teams: readonly { readonly org: string; readonly team: string }[];
  readonly keys: readonly { readonly key: string; readonly title: string }[];
}

const fields = Object.keys(importFields).filter((name) => name !== "username");

/** The people of a file, with what is wrong among its faults. `needsPassword`: local accounts must have one in the file. */
export function readJoining(file: PeopleFile, needsPassword: boolean): readonly Joining[] {
  const emails = new Map<string, string>();
  const owners = new Map<string, string>();
  return [...file.users([...fields, "organizations", "keys"])].map(([name, own], index) => {
    const at = ["users", name];
    const found: Record<string, FieldValue> = {};
    const add = (field: string, raw: unknown) => {
      const { value, error } = parseField(field, raw);
      if (error !== undefined) file.fault(field === "username" ? at : [...at, field], error);
      else if (value !== undefined) found[field] = value;
    };
    add("username", name);
    for (const field of fields) {
      const raw = own.get(field);
      const isText = importFields[field]?.kind === "text";
      if (raw === undefined) continue;
      if (raw instanceof Literal) add(field, isText && raw.value !== null ? raw.source : raw.value);
      else if (typeof raw === "string") add(field, raw);
      else file.fault([...at, field], "must be a single value");
    }
    const email = String(found["email"] ?? "").toLowerCase();
    if (own.get("email") === undefined) file.fault(at, "has no email");
    else if (email !== "" && emails.has(email)) file.fault([...at, "email"], `is also that of ${emails.get(email)}`);
    emails.set(email, name);
    const isLocal = Number(found["source_id"] ?? 0) === 0;
    if (needsPassword && isLocal && found["password"] === undefined)
      file.fault(at, "has no password (add one, or pass --generate-passwords)");
    const teams = [...file.map(own.get("organizations"), [...at, "organizations"])].flatMap(([org, value]) => {
      const place = [...at, "organizations", org];
      const names = file.texts(value, place);
      if (Array.isArray(value) && names.length === 0)
        file.fault(place, "names no team: members of an organization are in a team");
      return names.map((team) => ({ org, team }));
    });
    const keys = file.texts(own.get("keys"), [...at, "keys"]).flatMap((text) => {
      const [kind = "", data = "", ...comment] = text.trim().split(/\s+/);
      const isKey = /^[a-z][\w@.-]+$/.test(kind) && /^[A-Za-z0-9+/]{16,}=*$/.test(data);
      // Without the text, which may be a private key.
      if (!isKey) file.fault([...at, "keys"], "has something that is not a public SSH key");
      else if (owners.has(data)) file.fault([...at, "keys"], `has a key twice: it is also one of ${owners.get(data)}`);
      owners.set(data, name);
      return isKey ? [{ key: text.trim(), title: comment.join(" ") || name }] : [];
    });
    return { name, row: { line: index + 1, fields: found }, teams, keys };
  });
}

/** What is done for somebody who comes. */
export interface JoinPlan {
  readonly joining: Joining;
  /** The ID of the account, if there is one: the name can become that of another one. */
  readonly id: number | undefined;
  readonly steps: readonly JoinStep[];
  readonly stops: readonly string[];
}

/**
 * Reads which accounts, addresses and teams exist. Sends only reads; a team that does not exist is a fault of the file, and so
 * is an address that somebody else has.
 */
export async function planJoining(
  { http, out }: Pick<ServerContext & BaseContext, "http" | "out">,
  people: readonly Joining[],
  onExisting: OnExisting,
  file: PeopleFile,
): Promise<readonly JoinPlan[]> {
  const keyOf = (...names: readonly string[]) => names.join("/").toLowerCase();
  const teamId = once(keyOf, (org: string, team: string) => ifFound(findTeam(http, org, team)).then((one) => one?.id));
  const presentName = once(keyOf, (org: string) => ifFound(presentOrgName(http, org)));
  const server = await lookUpServer(http, about(people), onExisting, () => out.note(addressesUnlisted));
  const one = async (joining: Joining): Promise<JoinPlan> => {
    const { name, row, keys } = joining;
    const user = await findUser(http, name);
    const owner = user === undefined || onExisting === "update" ? await addressOwner(server, row) : undefined;
    if (owner !== undefined) file.fault(["users", name, "email"], addressTaken(owner));
    const stops: string[] = [];
    let account: JoinStep = { step: "account", does: "create", details: ["create", ...madeBy(row)].join(", ") };
    if (user !== undefined) {
      if (await isOrganization(http, name)) stops.push(takenByOrganization);
      else if (onExisting === "fail") stops.push(alreadyExists);
      account = { step: "account", ...existing(row, user, onExisting) };
    }
    const teams: JoinStep[] = [];
    for (const { org, team } of joining.teams) {
      const [id, present = org] = await Promise.all([teamId(org, team), presentName(org)]);
      if (present.toLowerCase() !== org.toLowerCase())
        file.fault(["users", name, "organizations", org], `is now '${present}'`);
      else if (id === undefined) file.fault(["users", name, "organizations", org], `has no team ${team} on the server`);
      else teams.push({ step: "team", org, team, id });
    }
    const added = keys.map((key): JoinStep => ({ step: "key", ...key }));
    return { joining, id: user?.id, stops, steps: [account, ...teams, ...added] };
  };
  return pMap(people, one, { concurrency: 8 });
}

/**
 * The steps that an earlier run left, with the teams as they are now: one can be deleted and created again. Those of a team that
 * is gone are held, with the reason; a renamed one keeps its ID.
 */
export async function joiningNow(http: Http, steps: readonly JoinStep[]) {
  const held = new Map<JoinStep, string>();
  const now = await Promise.all(
    steps.map(async (step): Promise<JoinStep> => {
      if (step.step !== "team") return step;
      const found = await ifFound(findTeam(http, step.org, step.team));
      if (found !== undefined) return { ...step, id: found.id };
      if ((await ifFound(call(http, teamGet, { id: step.id }))) === undefined)
        held.set(step, `${step.org} has no team ${step.team} any more: create it, or start over without it`);
      return step;
    }),
  );
  return { steps: now, held };
}

/** What a look-up of many people at once needs of them. */
function about(people: readonly Joining[]) {
  const lower = (all: readonly string[]) => {
    const known = new Set(all.map((one) => one.toLowerCase()));
    return { has: (one: string) => known.has(one.toLowerCase()) };
  };
  const emails = people.map(({ row }) => String(row.fields["email"]));
  return { rows: people.length, names: lower(people.map(({ name }) => name)), emails: lower(emails) };
}

/** What is done with an account that exists. */
function existing(row: Row, user: User, onExisting: OnExisting) {
  if (onExisting !== "update") return { does: "nothing", details: `skip: ${alreadyExists}` } as const;
  const changes = changedFields(row, user);
  const unseen = unseenFields(row);
  const details = detailsOf({ changes, ...(unseen.length === 0 ? {} : { reason: unseenReason(unseen) }) });
  if (details === "") return { does: "nothing", details: `unchanged: ${alreadyExists}` } as const;
  return { does: "update", details: `update: ${details}` } as const;
}

/** Makes a step so that is not the account, and returns whether it was not so already. */
export async function takeJoinStep(
  http: Http,
  step: Exclude<JoinStep, { readonly step: "account" }>,
  name: string,
): Promise<boolean> {
  if (step.step === "team") {
    if (await call(http, teamMemberCheck, { id: step.id, username: name })) return false;
    await call(http, teamMemberAdd, { id: step.id, username: name });
    return true;
  }
  const has = await collect(call(http, userKeyList, { username: name }));
  if (has.some(({ key }) => dataOf(key) === dataOf(step.key))) return false;
  await call(http, userKeyAdd, { username: name }, { key: step.key, title: step.title });
  return true;
}

/** A public key without its comment. */
function dataOf(key: string | undefined): string {
  return (key ?? "").trim().split(/\s+/).slice(0, 2).join(" ");
}
