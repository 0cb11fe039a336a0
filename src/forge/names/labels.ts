import { NotFoundError } from "../../http/errors/not-found-error.ts";
import type { Forge } from "../index.ts";
import type { Label } from "../records/label.ts";
import { fullName, type RepoName } from "../repo-name.ts";
import { byName, everything, unknownName } from "./unknown-name.ts";

/**
 * The labels with these names, the repository's own or its organization's. Throws when one does not exist: the servers
 * drop unknown ones silently (api-facts 3.5.3). Nothing is asked for an empty list.
 */
export async function labelsNamed(forge: Forge, repo: RepoName, typed: readonly string[]): Promise<Label[]> {
  if (typed.length === 0) return [];
  const own = await everything(forge.labels.ofRepo(repo));
  const missing = typed.filter((name) => byName(own, name, nameOf) === undefined);
  const known = missing.length === 0 ? own : [...own, ...(await ofOwner(forge, repo.owner))];
  const unknown = typed.filter((name) => byName(known, name, nameOf) === undefined);
  if (unknown.length > 0) throw unknownName("label", unknown, known.map(nameOf), `in ${fullName(repo)}`);
  return typed.flatMap((name) => byName(known, name, nameOf) ?? []);
}

/** The labels of the owner, if that is an organization. */
async function ofOwner(forge: Forge, owner: string): Promise<Label[]> {
  try {
    return await everything(forge.labels.ofOrg(owner));
  } catch (error) {
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

function nameOf(label: Label): string {
  return label.name;
}
