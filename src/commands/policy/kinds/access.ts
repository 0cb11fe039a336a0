import pMap from "p-map";
import {
  collaboratorAdd,
  collaboratorList,
  collaboratorPermissionGet,
  collaboratorRemove,
  permissions,
} from "../../../forge/collaborators.ts";
import { collect } from "../../../forge/listings.ts";
import { call } from "../../../forge/operation.ts";
import {
  repoTeamAdd,
  repoTeamCheck,
  repoTeamList,
  repoTeamRemove,
  requireOneByOne,
  type Team,
  teamMemberCheck,
} from "../../../forge/teams.ts";
import { HttpError, InvalidError, RefusedError } from "../../../http/errors.ts";
import { words } from "../../../shape/shape.ts";
import { type Item, type Kind, type Place, textOf } from "./kind.ts";

/** The collaborators of a repository, by username. */
export const collaborators: Kind = {
  title: "collaborator",
  description: "collaborators by username, with their permission",
  sends: { create: collaboratorAdd, update: collaboratorAdd, delete: collaboratorRemove },
  form: "named",
  fields: { permission: words(...permissions) },
  required: ["permission"],
  short: "permission",
  key: (name) => name.toLowerCase(),
  namesA: "user",
  async read(place, claimed) {
    const { http, repo } = place;
    const found = await collect(call(http, collaboratorList, { repo }));
    const isByTeam = teamPermissions(place);
    // Each permission is a request of its own.
    return pMap(
      found,
      async ({ login }): Promise<Item> => {
        const wanted = claimed?.get(login.toLowerCase());
        const isNeeded = claimed === undefined || wanted !== undefined;
        const actual = isNeeded
          ? (await call(http, collaboratorPermissionGet, { repo, collaborator: login })).permission
          : undefined;
        // Owners and administrators of the server have more than they are given as collaborators, which is hidden.
        const most = permissions.find((one) => one === actual);
        const isMore = wanted !== undefined && level(most) > level(textOf(wanted["permission"]));
        const permission = isMore && (await isByTeam(login, most)) ? undefined : most;
        return {
          name: login,
          values: permission === undefined ? {} : { permission },
          update: (changed) => call(http, collaboratorAdd, { repo, collaborator: login }, changed),
          remove: () => call(http, collaboratorRemove, { repo, collaborator: login }),
        };
      },
      { concurrency: 8 },
    );
  },
  create: ({ http, repo }, collaborator, values) => call(http, collaboratorAdd, { repo, collaborator }, values),
};

function level(permission: string | undefined): number {
  return ["read", "write", "admin", "owner"].indexOf(permission ?? "");
}

/** Whether a team gives a member a permission in the repository, or more: what a collaborator was given is hidden then. */
function teamPermissions({ http, repo }: Place) {
  let all: Promise<readonly Team[]> | undefined;
  return async (login: string, permission: string | undefined): Promise<boolean> => {
    try {
      all ??= collect(call(http, repoTeamList, { repo }));
      const enough = (await all).filter((team) => level(team.permission) >= level(permission));
      const member = await Promise.all(enough.map(({ id }) => call(http, teamMemberCheck, { id, username: login })));
      return member.includes(true);
    } catch (error) {
      // Only repositories of organizations have teams (405), and not everyone can see their members (403).
      if (error instanceof HttpError && (error.exchange.status === 405 || error.exchange.status === 403)) return false;
      throw error;
    }
  };
}

/** The teams that have a repository of an organization. */
export const teams: Kind = {
  title: "team",
  description: "teams of the organization that have the repository",
  sends: { create: repoTeamAdd, delete: repoTeamRemove },
  form: "names",
  fields: {},
  key: (name) => name.toLowerCase(),
  namesA: "team",
  async read({ http, repo }, claimed) {
    try {
      const found = await collect(call(http, repoTeamList, { repo }));
      return found.map((one) => {
        const { name } = one;
        const remove = async () => {
          requireOneByOne(repo.owner, one);
          return call(http, repoTeamRemove, { repo, team: name });
        };
        // The owners have every repository; removing them does nothing.
        return { name, values: {}, ...(name === "Owners" ? {} : { remove }) };
      });
    } catch (error) {
      // Only repositories of organizations have teams.
      if (error instanceof RefusedError && error.status === 405 && (claimed?.size ?? 0) === 0) return [];
      throw error;
    }
  },
  create: ({ http, repo }, team) =>
    call(http, repoTeamAdd, { repo, team }).catch(async (error: unknown) => {
      // A team that was created for all repositories has it since then.
      if (error instanceof InvalidError && (await call(http, repoTeamCheck, { repo, team }))) return undefined;
      throw error;
    }),
};
