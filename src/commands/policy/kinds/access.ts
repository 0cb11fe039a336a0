import pMap from "p-map";
import { UsageError } from "../../../failure/failure.ts";
import { permissions } from "../../../forge/collaborators.ts";
import { collect } from "../../../forge/listings.ts";
import { RefusedError } from "../../../http/errors.ts";
import { words } from "../../../shape/shape.ts";
import { type Item, type Kind, textOf, type Values } from "./kind.ts";

/** The collaborators of a repository, by username. */
export const collaborators: Kind = {
  title: "collaborator",
  description: "collaborators by username, with their permission",
  form: "named",
  fields: { permission: words(...permissions) },
  required: ["permission"],
  short: "permission",
  key: (name) => name.toLowerCase(),
  normalize(values) {
    permissionIn(values);
    return values;
  },
  async read({ forge, repo }, claimed) {
    const found = await collect(forge.collaborators.list(repo));
    // Each permission is a request of its own.
    return pMap(
      found,
      async ({ login }): Promise<Item> => {
        const isNeeded = claimed === undefined || claimed.has(login.toLowerCase());
        const permission = isNeeded ? (await forge.collaborators.permission(repo, login)).permission : undefined;
        return {
          name: login,
          values: permission === undefined ? {} : { permission },
          update: (changed) => forge.collaborators.add(repo, login, permissionIn(changed)),
          remove: () => forge.collaborators.remove(repo, login),
        };
      },
      { concurrency: 8 },
    );
  },
  create: ({ forge, repo }, name, values) => forge.collaborators.add(repo, name, permissionIn(values)),
};

function permissionIn(values: Values): (typeof permissions)[number] {
  const found = permissions.find((one) => one === textOf(values["permission"]));
  if (found === undefined) throw new UsageError(`permission must be one of ${permissions.join(", ")}`);
  return found;
}

/** The teams that have a repository of an organization. */
export const teams: Kind = {
  title: "team",
  description: "teams of the organization that have the repository",
  form: "names",
  fields: {},
  key: (name) => name.toLowerCase(),
  async read({ forge, repo }, claimed) {
    try {
      const found = await collect(forge.repoTeams.list(repo));
      return found.map(({ name }) => {
        const remove = () => forge.repoTeams.remove(repo, name);
        // The owners have every repository; removing them does nothing.
        return { name, values: {}, ...(name === "Owners" ? {} : { remove }) };
      });
    } catch (error) {
      // Only repositories of organizations have teams.
      if (error instanceof RefusedError && error.status === 405 && (claimed?.size ?? 0) === 0) return [];
      throw error;
    }
  },
  create: ({ forge, repo }, name) => forge.repoTeams.add(repo, name),
};
