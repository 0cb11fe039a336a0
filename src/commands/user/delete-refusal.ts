import type { Forge } from "../../forge/index.ts";
import { InvalidError } from "../../http/errors.ts";
import { type Belongings, belongings, kindName } from "./belongings.ts";

/** Why an organization is not deleted here, and what does that. */
export function notAUser(name: string): readonly [message: string, hint: string] {
  return [`${name} is an organization, not a user`, `Delete it with: tongs api -X DELETE orgs/${name}`];
}

/**
 * Says why the server does not delete an account, and which command helps. All refusals are 422; which one it is is
 * found by asking, not by the server's words (api-facts 3.2).
 */
export async function explainRefusal(forge: Forge, name: string, error: unknown): Promise<never> {
  if (!(error instanceof InvalidError) || error.status !== 422) throw error;
  const refuse = (message: string, hint?: string): never => {
    throw new InvalidError(error.exchange, message, hint);
  };
  if (await forge.users.isOrganization(name)) refuse(...notAUser(name));
  const [me, account] = await Promise.all([forge.users.me(), forge.users.get(name)]);
  if (me.id === account.id) refuse("You cannot delete your own account", "Another administrator can.");
  const { repositories, organizations, packages } = await belongings(forge, name);
  if (repositories.count > 0) {
    const hint = `tongs repo delete ${repositories.names[0]}, or take all with: tongs user delete ${name} --purge`;
    refuse(`${name} still owns ${counted(repositories, "repositories")}: ${repositories.names.join(", ")}`, hint);
  }
  if (organizations.count > 0) {
    const hint = `Remove ${name} from them, or take those that nobody else owns with: tongs user delete ${name} --purge`;
    refuse(`${name} is still in ${counted(organizations, "organizations")}: ${organizations.names.join(", ")}`, hint);
  }
  if (packages.count > 0) {
    const hint = `Take them along with: tongs user delete ${name} --purge`;
    refuse(`${name} still owns ${counted(packages, "packages")}: ${packages.names.join(", ")}`, hint);
  }
  if (account.is_admin)
    refuse(
      `${name} may be the last administrator: ${error.serverMessage}`,
      "Make another one first: tongs user edit NAME --admin",
    );
  throw error;
}

function counted({ count }: { readonly count: number }, kind: keyof Belongings): string {
  return `${count} ${kindName(kind, { count })}`;
}
