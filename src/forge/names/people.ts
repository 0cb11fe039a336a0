import { NotFoundError } from "../../http/errors/not-found-error.ts";
import type { Forge } from "../index.ts";
import type { RepoName } from "../repo-name.ts";
import { together } from "../together.ts";
import { everything, unknownName } from "./unknown-name.ts";

/**
 * The login names of these people; `@me` is the caller, an e-mail address passes through. Throws when one does not
 * exist, with those who can be assigned as suggestions.
 */
export async function peopleNamed(
  forge: Forge,
  repo: RepoName,
  typed: readonly string[],
  me: () => Promise<string>,
): Promise<string[]> {
  const found = await together(
    typed.map(async (name) => {
      if (name === "@me") return me();
      if (name.includes("@")) return name;
      return loginOf(forge, name);
    }),
  );
  const unknown = typed.filter((_, index) => found[index] === undefined);
  if (unknown.length === 0) return [...new Set(found.flatMap((login) => login ?? []))];
  const known = await everything(forge.repos.assignable(repo)).catch(() => []);
  const logins = known.map(({ login }) => login);
  throw unknownName("user", unknown, logins, "on this server");
}

async function loginOf(forge: Forge, name: string): Promise<string | undefined> {
  try {
    return (await forge.users.get(name)).login;
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}
