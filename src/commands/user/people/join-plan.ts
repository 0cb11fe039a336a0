import pMap from "p-map";
import type { ServerContext } from "../../../app/context.ts";
import { currentUser } from "../../../app/shared.ts";
import { Literal } from "../../../app/yaml-file.ts";
import { userKeyList } from "../../../forge/keys.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { presentOrgName } from "../../../forge/orgs.ts";
import { findTeam, teamMemberCheck } from "../../../forge/teams.ts";
import { ifFound } from "../../../http/errors.ts";
import { once } from "../../../system/concurrency.ts";
import { type AccountOptions, keepingOwnAccess, planAccount } from "../import/account.ts";
import type { RowPlan } from "../import/flags.ts";
import { findAccount, newUserProblems } from "../import/look-up.ts";
import { missingPassword, takenByOrganization } from "../import/outcome.ts";
import { type FieldValue, importFields, parseField, type Row } from "../import/rows.ts";
import type { PeopleFile } from "./file.ts";

/** A user to onboard, as the file says. */
export interface Joining {
  readonly name: string;
  /** The fields of the account, as a row of `user import`. */
  readonly row: Row;
  readonly teams: readonly { readonly org: string; readonly team: string }[];
  readonly keys: readonly { readonly key: string; readonly title: string }[];
}

const fields = Object.keys(importFields).filter((name) => name !== "username");

/** The users of a file; what is wrong is added to its faults. */
export function readJoining(file: PeopleFile): readonly Joining[] {
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
      const isText = importFields[field]?.shape.type === "string";
      if (raw === undefined) continue;
      if (raw instanceof Literal) add(field, isText && raw.value !== null ? raw.source : raw.value);
      else if (typeof raw === "string") add(field, raw);
      else file.fault([...at, field], "must be a single value");
    }
    const email = String(found["email"] ?? "").toLowerCase();
    if (own.get("email") === undefined) file.fault(at, "has no email");
    else if (email !== "" && emails.has(email)) file.fault([...at, "email"], `is also that of ${emails.get(email)}`);
    emails.set(email, name);
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

/** What is done for a user to onboard: the account, the teams to join, and the keys to add. */
export interface JoinPlan extends RowPlan {
  readonly joining: Joining;
  readonly teams: readonly { readonly org: string; readonly team: string; readonly id: number }[];
  readonly keys: Joining["keys"];
}

/**
 * Compares the users of a file with the server. Sends only reads. Teams that do not exist and new users without a
 * password are faults of the file.
 */
export async function planJoining(
  context: ServerContext,
  people: readonly Joining[],
  options: AccountOptions,
  file: PeopleFile,
): Promise<readonly JoinPlan[]> {
  const { http } = context;
  const keyOf = (...names: readonly string[]) => names.join("/").toLowerCase();
  const teamId = once(keyOf, (org: string, team: string) => ifFound(findTeam(http, org, team)).then((one) => one?.id));
  const presentName = once(keyOf, (org: string) => ifFound(presentOrgName(http, org)));
  const problemOf = newUserProblems(http, options.generates);
  const one = async (joining: Joining): Promise<JoinPlan> => {
    const { name, row } = joining;
    const { user, isOrganization } = await findAccount(http, name);
    const plan = isOrganization
      ? ({ action: "invalid", reason: takenByOrganization } as const)
      : await keepingOwnAccess(row, planAccount(row, user, options), () => currentUser(context));
    const problem = plan.action === "create" ? await problemOf(row) : undefined;
    if (problem !== undefined) file.fault(["users", name], problem === missingPassword ? noPassword : problem);
    const teams = [];
    for (const { org, team } of joining.teams) {
      const [id, present = org] = await Promise.all([teamId(org, team), presentName(org)]);
      const at = ["users", name, "organizations", org];
      if (present.toLowerCase() !== org.toLowerCase()) file.fault(at, `is now '${present}'`);
      else if (id === undefined) file.fault(at, `has no team ${team} on the server`);
      else if (user === undefined || !(await call(http, teamMemberCheck, { id, username: name })))
        teams.push({ org, team, id });
    }
    const present = user === undefined ? [] : await collect(call(http, userKeyList, { username: name }));
    const added = joining.keys.filter(({ key }) => !present.some((other) => dataOf(other.key) === dataOf(key)));
    return { joining, row, plan, teams, keys: added };
  };
  return pMap(people, one, { concurrency: 8 });
}

const noPassword = "has no password (add one, or pass --generate-passwords)";

/** A public key without its comment. */
function dataOf(key: string | undefined): string {
  return (key ?? "").trim().split(/\s+/).slice(0, 2).join(" ");
}
