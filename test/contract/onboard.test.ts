import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyFolder, type World } from "../support/tongs.ts";
import { openTarget, type Target } from "./support.ts";

let target: Target;
const made: string[] = [];
const run = (line: readonly string[], world?: World) => target.admin.tongs(["user", "onboard", ...line], world);

beforeAll(async () => {
  target = await openTarget();
});
afterAll(async () => {
  for (const name of made) await target.ask("DELETE", `/admin/users/${name}?purge=true`).catch(() => undefined);
});

async function publicKey(): Promise<string> {
  const { publicKey: key } = await import("node:crypto").then(({ generateKeyPairSync }) =>
    generateKeyPairSync("ed25519"),
  );
  const raw = key.export({ format: "der", type: "spki" }).subarray(-32);
  const field = (bytes: Buffer) => Buffer.concat([Buffer.from([0, 0, 0, bytes.length]), bytes]);
  return `ssh-ed25519 ${Buffer.concat([field(Buffer.from("ssh-ed25519")), field(raw)]).toString("base64")}`;
}

describe("user onboard", () => {
  it("creates accounts with teams and keys, once", async () => {
    const org = target.unique("crews");
    await target.ask("POST", "/orgs", { username: org });
    const team = { name: "deck", permission: "write", units: ["repo.code"], units_map: { "repo.code": "write" } };
    await target.ask("POST", `/orgs/${org}/teams`, team);
    const [gull, knot] = [target.unique("gull"), target.unique("knot")];
    made.push(gull, knot);
    const cwd = emptyFolder();
    const file = join(cwd, "newcomers.yml");
    writeFileSync(
      file,
      `users:
  ${gull}:
    email: ${gull}@example.org
    full_name: Gull
    restricted: true
    organizations: {${org}: [deck]}
    keys: ["${await publicKey()} quay laptop"]
  ${knot}: {email: ${knot}@example.org, admin: true, organizations: {${org}: [DECK, Owners]}}
`,
    );
    const line = [file, "--generate-passwords", join(cwd, "passwords.csv")];
    const plan = await run([...line, "--plan", "--json", "user,step,target,action"], { cwd });
    expect(plan).toMatchObject({ code: 0 });
    const planned = plan.json() as { action: string }[];
    expect(planned.map((one) => ({ ...one }))).toEqual([
      { user: gull, step: "account", target: null, action: "plan" },
      { user: gull, step: "team", target: `${org}/deck`, action: "plan" },
      { user: gull, step: "key", target: "quay laptop", action: "plan" },
      { user: knot, step: "account", target: null, action: "plan" },
      { user: knot, step: "team", target: `${org}/DECK`, action: "plan" },
      { user: knot, step: "team", target: `${org}/Owners`, action: "plan" },
    ]);
    await expect(target.ask("GET", `/users/${gull}`)).rejects.toThrow("404");
    const ran = await run([...line, "--json", "action"], { cwd });
    expect(ran.stderr).toContain("2 users onboarded");
    expect(ran.json()).toEqual(planned.map(() => ({ action: "done" })));
    expect(await target.ask("GET", `/users/${gull}`)).toMatchObject({ full_name: "Gull", restricted: true });
    expect(await target.ask("GET", `/users/${knot}`)).toMatchObject({ is_admin: true });
    expect(await target.ask("GET", `/users/${gull}/keys`)).toMatchObject([{ title: "quay laptop" }]);
    expect(await target.ask("GET", `/users/${gull}/orgs`)).toMatchObject([{ username: org }]);
    expect(readFileSync(join(cwd, "passwords.csv"), "utf8")).toContain(`${gull},`);
    // Nothing is done again; an account that differs is not changed, unless that is asked for.
    const again = await run([...line, "--json"], { cwd });
    expect(again).toMatchObject({ code: 0, stdout: "[]\n" });
    await target.ask("PATCH", `/admin/users/${gull}`, { full_name: "Tern", source_id: 0, login_name: gull });
    expect(await run(line, { cwd })).toMatchObject({ code: 9 });
    expect(await run([...line, "--on-existing", "update"], { cwd })).toMatchObject({ code: 0 });
    expect(await target.ask("GET", `/users/${gull}`)).toMatchObject({ full_name: "Gull" });
  });

  it("names each fault of the file, and sends nothing", async () => {
    const cwd = emptyFolder();
    const file = join(cwd, "newcomers.yml");
    const name = target.unique("lost");
    writeFileSync(
      file,
      `users:\n  ${name}: {email: ${name}@example.org, organizations: {${target.unique("no")}: [deck]}}\n`,
    );
    const ran = await run([file, "--generate-passwords", join(cwd, "p.csv")], { cwd });
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toMatch(/newcomers\.yml:2:\d+: .*has no team deck on the server/);
    await expect(target.ask("GET", `/users/${name}`)).rejects.toThrow("404");
  });
});
