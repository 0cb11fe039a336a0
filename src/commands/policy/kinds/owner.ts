import { UsageError } from "../../../failure/failure.ts";
import type { EditTeamOption } from "../../../forge/generated/operations.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import { quotaGroupUserAdd, quotaGroupUserRemove, userQuotaGet } from "../../../forge/quotas.ts";
import {
  isOwners,
  type Team,
  teamCreate,
  teamDelete,
  teamEdit,
  teamList,
  teamMemberAdd,
  teamMemberList,
  teamMemberRemove,
  teamSettings,
  teamUnits,
  unitAccess,
  unitsAt,
} from "../../../forge/teams.ts";
import { currentUserGet } from "../../../forge/users.ts";
import type { Http } from "../../../http/client.ts";
import { ifVisible } from "../../../http/errors.ts";
import { list, map, present, string, words } from "../../../shape/shape.ts";
import { nearest } from "../../../text/nearest.ts";
import {
  fieldsIn,
  fieldsOfSettings,
  isEmpty,
  type Kind,
  listOf,
  pick,
  sameValue,
  textOf,
  type Value,
  type Values,
} from "./kind.ts";

/** The fields that are sent as they are. */
const plain = fieldsOfSettings(teamSettings).fields;

/** The teams of an organization, by name. */
export const orgTeams: Kind = {
  title: "team",
  description:
    "teams by name, with what they may do in each unit; 'permission' alone applies to the units that a team has, or to all of a new " +
    "one (default: read); of 'members', others are removed with prune: true",
  sends: { create: teamCreate, update: teamEdit, delete: teamDelete },
  form: "named",
  fields: {
    ...plain,
    permission: words("read", "write", "admin"),
    units_map: map(words(...unitAccess)),
    members: list(string),
  },
  fold: lower,
  nameProblem: (name) => (/^[\w.-]{1,255}$/.test(name) ? undefined : "must have up to 255 letters, digits, - _ ."),
  refersTo: { members: "user" },
  keeps: ["members"],
  normalize(values) {
    const units = unitsIn(values["units_map"]);
    const { permission } = values;
    if (permission === "admin") {
      if (units !== undefined) throw new UsageError("permission admin covers all units");
      return { ...values, units_map: {} };
    }
    if (units !== undefined) return { ...values, permission: mostIn(units), units_map: units };
    return permission === undefined ? values : { ...values, units_map: {} };
  },
  complete(values, item) {
    const { permission = item === undefined ? "read" : undefined, units_map = {} } = values;
    if (permission === undefined || permission === "admin" || !isEmpty(units_map)) return values;
    const now = Object.keys(fieldsIn(item?.values["units_map"]) ?? {});
    return { ...values, permission, units_map: unitsAt(textOf(permission), now.length === 0 ? undefined : now) };
  },
  same(field, old, wanted) {
    // What differs in each unit is in units_map.
    if (field === "permission") return (old === "admin" || old === "owner") === (wanted === "admin") && old !== "owner";
    if (field === "units_map") return sameUnits(old, wanted);
    if (field === "members") return sameValue(listOf(old).map(lower), listOf(wanted).map(lower));
    return sameValue(old, wanted);
  },
  async read({ http, repo: { owner: org } }, claimed) {
    const wanted = claimed && new Map([...claimed].map(([name, values]) => [lower(name), values]));
    const found = present(await collect(call(http, teamList, { org })));
    return Promise.all(
      found.map(async (team) => {
        const isAsked = wanted === undefined || wanted.get(lower(team.name))?.["members"] !== undefined;
        const members = isAsked ? await membersOf(http, team) : undefined;
        const own = isOwners(team);
        return {
          name: team.name,
          values: valuesOf(team, members),
          ...(own ? ofOwners : {}),
          update: (changed) => update(http, team, members ?? [], changed),
          members: async () => members ?? membersOf(http, team),
          ...(own ? {} : { remove: () => call(http, teamDelete, { id: team.id }) }),
        };
      }),
    );
  },
  async create({ http, repo: { owner: org } }, name, values) {
    const body = { ...pick(values, plain), name, ...accessOf(values) };
    const team = await call(http, teamCreate, { org }, body);
    const members = listOf(values["members"]);
    for (const username of members) await call(http, teamMemberAdd, { id: team.id, username });
    return valuesOf(team, members);
  },
};

/** What the server keeps of the team Owners. */
const ofOwners = {
  fixed: ["permission", "units_map", "includes_all_repositories", "can_create_org_repo"],
  needed: { members: "an organization must keep an owner" },
};

function lower(name: string): string {
  return name.toLowerCase();
}

/** The access to units, by their full names. Throws a usage error for an unknown unit, which servers silently drop. */
function unitsIn(value: Value | undefined): Record<string, string> | undefined {
  const fields = fieldsIn(value);
  if (fields === undefined) return undefined;
  const units = Object.entries(fields).map(([typed, access]): [string, string] => {
    const unit = typed.startsWith("repo.") ? typed : `repo.${typed}`;
    if (teamUnits.includes(unit)) return [unit, String(access)];
    const near = nearest(unit, teamUnits);
    throw new UsageError(`unknown unit '${typed}'${near.length === 0 ? "" : `; did you mean: ${near.join(", ")}?`}`);
  });
  if (units.every(([, access]) => access === "none")) throw new UsageError("a team needs access to at least one unit");
  return Object.fromEntries(units);
}

/** Whether the access to each unit is the same; without units it is that of an administrator, which `permission` says. */
function sameUnits(old: Value, wanted: Value): boolean {
  const [now, then] = [fieldsIn(old) ?? {}, fieldsIn(wanted) ?? {}];
  if (Object.keys(then).length === 0) return true;
  return teamUnits.every((unit) => (now[unit] ?? "none") === (then[unit] ?? "none"));
}

/** Gitea says `none` if units differ. Administrators have all units. */
function valuesOf(team: Team, members: readonly string[] | undefined): Values {
  const { permission } = team;
  const isLimited = permission !== "owner" && permission !== "admin";
  const units = Object.entries(team.units_map ?? {}).filter(([, access]) => isLimited && access !== "none");
  return {
    ...pick(team, plain),
    permission: isLimited ? mostIn(team.units_map ?? {}) : permission,
    units_map: Object.fromEntries(units),
    ...(members === undefined ? {} : { members }),
  };
}

/** The members of a team; undefined if the server does not show them to the user. */
async function membersOf(http: Http, { id }: Team): Promise<readonly string[] | undefined> {
  const found = await ifVisible(collect(call(http, teamMemberList, { id })));
  return found && present(found).map(({ login }) => login);
}

/** The most that units give, of what a team can be given. */
function mostIn(units: Readonly<Record<string, string>>): "read" | "write" {
  return Object.values(units).some((access) => access === "write" || access === "admin") ? "write" : "read";
}

function accessOf({ permission, units_map }: Values): Pick<EditTeamOption, "permission" | "units_map"> {
  if (permission === "admin") return { permission };
  const access = permission === "write" ? permission : "read";
  const units = Object.entries(fieldsIn(units_map) ?? {}).map(([unit, word]) => [unit, String(word)]);
  return { permission: access, units_map: Object.fromEntries(units) };
}

async function update(http: Http, team: Team, before: readonly string[], changed: Values): Promise<Values> {
  const { id, name } = team;
  const { members } = changed;
  const isAccess = ["permission", "units_map", "includes_all_repositories"].some((field) => field in changed);
  const present = valuesOf(team, undefined);
  const access = isAccess && !isOwners(team) ? accessOf({ ...present, ...changed }) : {};
  const body = { ...pick(changed, plain), ...access };
  const edited = Object.keys(body).length === 0 ? team : await call(http, teamEdit, { id }, { ...body, name });
  if (members === undefined) return valuesOf(edited, undefined);
  const [now, then] = [new Set(before.map(lower)), new Set(listOf(members).map(lower))];
  // Added first: the last owner cannot be removed.
  for (const username of listOf(members))
    if (!now.has(lower(username))) await call(http, teamMemberAdd, { id, username });
  const gone = before.filter((username) => !then.has(lower(username)));
  // Who removes the others has to be an owner until then.
  const self = isOwners(team) && gone.length > 1 ? lower((await call(http, currentUserGet, {})).login) : undefined;
  const isSelf = (username: string) => lower(username) === self;
  for (const username of [...gone.filter((one) => !isSelf(one)), ...gone.filter(isSelf)])
    await call(http, teamMemberRemove, { id, username });
  return valuesOf(edited, listOf(members));
}

/** The quota groups that an organization or a user is in. Only administrators can read them. */
export const quotaGroups: Kind = {
  title: "quota group",
  description: "quota groups of Forgejo that it is in",
  sends: { create: quotaGroupUserAdd, delete: quotaGroupUserRemove },
  form: "names",
  fields: {},
  namesA: "quota group",
  needsAdmin: true,
  async read({ http, repo: { owner: username } }) {
    const { groups } = await call(http, userQuotaGet, { username });
    return present(groups).flatMap(({ name }) =>
      name === undefined
        ? []
        : [{ name, values: {}, remove: () => call(http, quotaGroupUserRemove, { quotagroup: name, username }) }],
    );
  },
  create: ({ http, repo: { owner: username } }, quotagroup) => call(http, quotaGroupUserAdd, { quotagroup, username }),
};
