import { parse } from "yaml";
import { newRunner } from "../actions/schedule.ts";
import { answer } from "../http/answer.ts";
import type { Router } from "../http/router.ts";
import { timestamp } from "../http/time.ts";
import type { SandboxOptions, SandboxUser } from "../options.ts";
import type { Site } from "../site.ts";
import { newToken, newUser } from "../state/accounts.ts";
import type { UserRecord } from "../state/records/accounts.ts";

/** The name of the tokens the sandbox prints at startup. */
const tokenName = "sandbox";

const demoUsers = { mara: "Mara Lind", jonas: "Jonas Falk", priya: "Priya Raman", tomas: "Tomas Riedel" };

/** Fills a new sandbox with the administrator and, unless it is to be empty, users and a demo project. */
export async function seed(site: Site, { empty, people }: SandboxOptions, api: Router): Promise<void> {
  const { store } = site;
  await store.write(() => {
    for (const person of people ?? []) addPerson(site, person);
    if (people !== undefined) return;
    addPerson(site, { ...demoAccount("harbormaster"), is_admin: true });
    if (empty) return;
    for (const [name, full_name] of Object.entries(demoUsers)) addPerson(site, { ...demoAccount(name), full_name });
    newRunner(site, { name: "dock-1", labels: ["ubuntu-latest"] });
  });
  if (people === undefined && !empty) await playDemo(site, api);
}

/** Sends the requests of demo.txt, each as if it was sent some hours ago. */
async function playDemo(site: Site, api: Router): Promise<void> {
  const { default: text } = await import("./demo.txt?raw");
  const users = sandboxUsers(site);
  for (const step of text
    .replace(/^#.*\n/gm, "")
    .trim()
    .split(/\n(?=\d)/)) {
    const [, hours, login, method = "", path = "", given = ""] = /^(\S+) (\S+) (\S+) (\S+)(.*)$/s.exec(step) ?? [];
    const { files, ...body } = (parse(given) ?? {}) as { readonly files?: Readonly<Record<string, string>> };
    const changes = Object.entries(files ?? {}).map(([name, content]) => {
      return { operation: "upload", path: name, content: Buffer.from(content).toString("base64") };
    });
    const at = site.clock() - Number(hours) * 3_600_000;
    const token = users.find((user) => user.login === login)?.token;
    const reply = await answer({ ...site, clock: () => at, now: () => timestamp(at) }, api, "/api/v1", {
      method,
      url: new URL(path.replace(/^(?!\/)\.?/, "/repos/mara/harbor/").replace(/^/, `${site.root}/api/v1`)),
      headers: { authorization: `token ${token}`, "content-type": "application/json" },
      rawBody: Buffer.from(JSON.stringify({ ...body, files: changes })),
    });
    if (reply.status >= 300) throw new Error(`${step}: ${reply.status} ${reply.body}`);
  }
}

const demoAccount = (name: string) => ({ name, email: `${name}@example.org`, password: `not-a-secret-${name}` });

function addPerson(site: Site, given: Partial<UserRecord> & { readonly name: string }): void {
  const user = newUser(site, { ...given, demo: true });
  newToken(site, { userId: user.id, name: tokenName, scopes: ["all"] });
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
