import { refuse } from "../http/refusal.ts";
import type { Store } from "../state/store.ts";
import { userNamed } from "../state/users.ts";

/** The numbers of people by name; an unknown one is 422. */
export function peopleNamed(store: Store, names: readonly string[]): number[] {
  return names.map((name) => userNamed(store, name)?.id ?? refuse(422, `user does not exist [uid: 0, name: ${name}]`));
}

/** The numbers of an organization's teams by name; unknown ones are passed over. */
export function teamsNamed(store: Store, orgId: number, names: readonly string[]): number[] {
  const wanted = new Set(names.map((name) => name.toLowerCase()));
  const fits = store.table("teams").filter((team) => team.orgId === orgId && wanted.has(team.name.toLowerCase()));
  return fits.map(({ id }) => id);
}
