import type { SandboxOptions, SandboxUser } from "../options.ts";
import type { Site } from "../site.ts";
import { newBadge, newToken, newUser, userNamed } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";

/** The name of the tokens the sandbox prints at startup. */
const tokenName = "sandbox";

const demoUsers = [
  { name: "mara", full_name: "Mara Lind" },
  { name: "jonas", full_name: "Jonas Falk" },
  { name: "priya", full_name: "Priya Raman" },
  { name: "tomas", full_name: "Tomas Riedel" },
] as const;

export type DemoUserName = (typeof demoUsers)[number]["name"];

/** Fills a new sandbox with the administrator and, unless it is to be empty, users and a demo project. */
export async function seed(site: Site, options: Pick<SandboxOptions, "empty" | "people">): Promise<void> {
  if (options.people !== undefined) {
    for (const person of options.people) addPerson(site, person);
    return;
  }
  addPerson(site, { ...demoAccount("harbormaster"), is_admin: true });
  newBadge(site.store, "early-bird", "Was here before the tide");
  newBadge(site.store, "pilot", "Brings ships in");
  if (options.empty) return;
  for (const { name, full_name } of demoUsers) addPerson(site, { ...demoAccount(name), full_name });
  for (const area of site.areas) await area.demo?.(site);
}

const demoAccount = (name: string) => ({ name, email: `${name}@example.org`, password: `not-a-secret-${name}` });

function addPerson(site: Site, given: Partial<UserRecord> & { readonly name: string }): void {
  const user = newUser(site.store, site.now(), { ...given, demo: true });
  newToken(site.store, site.now(), { userId: user.id, name: tokenName, scopes: ["all"] });
}

/** The users the sandbox created, with their credentials. */
export function sandboxUsers({ store }: Site): SandboxUser[] {
  return store
    .table("users")
    .filter((user) => user.demo === true)
    .map((user) => ({
      login: user.name,
      password: user.password,
      token: store.table("tokens").find((one) => one.userId === user.id && one.name === tokenName)?.secret ?? "",
      is_admin: user.is_admin,
    }));
}

/** A user of the demo project. */
export function demoUser(site: Site, name: DemoUserName): UserRecord {
  const user = userNamed(site.store, name);
  if (user === undefined) throw new Error(`the demo user ${name} does not exist`);
  return user;
}
