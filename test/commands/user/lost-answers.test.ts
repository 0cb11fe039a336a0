import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { askAsAdmin, type OnSandbox, onSandbox } from "../on-sandbox.ts";

// Without a Date in its answers, the times of the server prove nothing.
describe.each(["gitea@1.26", "forgejo"])("an account whose creation got no answer, on %s", (as) => {
  let box: OnSandbox;
  let team: { readonly id: number };
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
    await askAsAdmin(box, "POST", "/orgs", { username: "fleet" });
    const deck = { name: "deck", permission: "read", units: ["repo.code"] };
    team = (await askAsAdmin(box, "POST", "/orgs/fleet/teams", deck)) as { readonly id: number };
  });
  afterAll(() => box.close());

  const members = async () =>
    ((await askAsAdmin(box, "GET", `/teams/${team.id}/members?limit=50`)) as { login: string }[]).map(
      ({ login }) => login,
    );

  function fileOf(names: readonly string[], more = ""): { readonly cwd: string; readonly file: string } {
    const cwd = emptyFolder();
    const users = names.map(
      (name) => `  ${name}: {email: ${name}@example.org, organizations: {fleet: [deck]}${more}}\n`,
    );
    writeFileSync(join(cwd, "new.yml"), `users:\n${users.join("")}`);
    return { cwd, file: "new.yml" };
  }

  it.each([
    ["a generated password", "generated", ""],
    ["a password of the file", "given", ", password: not-a-secret-1A"],
    ["no new password to set", "kept", ", password: not-a-secret-1A, must_change_password: false"],
  ])("is known by %s", async (_what, prefix, more) => {
    const names = Array.from({ length: 12 }, (_, index) => `${prefix}${index}`);
    const { cwd, file } = fileOf(names, more);
    const proxy = await droppingProxy(box.url, { hides: ["date"] });
    const env = { TONGS_HOST: proxy.url };
    const line = ["user", "onboard", file, "--generate-passwords", "passwords.csv"];
    let ran = await box.run(line, { cwd, env });
    for (let runs = 0; ran.code !== 0 && runs < 20; runs += 1) {
      expect([6, 11], ran.stderr).toContain(ran.code);
      ran = await box.run([...line, ...(existsSync(join(cwd, "new.yml.journal")) ? ["--resume"] : [])], { cwd, env });
    }
    proxy.close();
    expect(ran.code, ran.stderr).toBe(0);
    expect(await members()).toEqual(expect.arrayContaining(names));
    const kept = existsSync(join(cwd, "passwords.csv")) ? readFileSync(join(cwd, "passwords.csv"), "utf8") : "";
    const passwords = new Map(kept.split("\n").map((one) => [one.split(",")[0], one.split(",")[1]]));
    for (const name of names) {
      const password = passwords.get(name) ?? "not-a-secret-1A";
      const authorization = `Basic ${Buffer.from(`${name}:${password}`).toString("base64")}`;
      const { status } = await fetch(`${box.url}/api/v1/user`, { headers: { authorization } });
      expect(status).toBe(prefix === "kept" ? 200 : 403);
    }
  });

  it("that has another password is settled by the command that is named", async () => {
    const { cwd, file } = fileOf(["stranger"]);
    const proxy = await droppingProxy(box.url, {
      drops: () => false,
      swallows: ({ method }) => method === "POST",
      hides: ["date"],
    });
    const line = ["user", "onboard", file, "--generate-passwords", "passwords.csv"];
    expect(await box.run(line, { cwd, env: { TONGS_HOST: proxy.url } })).toMatchObject({ code: 11 });
    proxy.close();
    const stranger = { username: "stranger", email: "stranger@example.org", password: "not-a-secret-2B" };
    await askAsAdmin(box, "POST", "/admin/users", stranger);
    const journal = readFileSync(join(cwd, "new.yml.journal"), "utf8").replaceAll(proxy.url, box.url);
    writeFileSync(join(cwd, "new.yml.journal"), journal);
    const unknown = await box.run(["user", "onboard", file, "--resume"], { cwd });
    expect(unknown.code).toBe(11);
    expect(unknown.stderr).toContain(
      "to continue with it: tongs user onboard new.yml --resume --on-existing update, " +
        "then set its password: tongs user edit stranger --password-file FILE",
    );
    expect(await members()).not.toContain("stranger");
    const settled = await box.run(["user", "onboard", file, "--resume", "--on-existing", "update"], { cwd });
    expect(settled.code, settled.stderr).toBe(0);
    expect(await members()).toContain("stranger");
  });
});
