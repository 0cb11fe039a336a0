import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder, startBuilt } from "./built.ts";
import { startedSandbox } from "./started-sandbox.ts";

describe("tongs sandbox (built)", () => {
  it("responds after its first line, accepts its tokens, and leaves nothing behind when stopped", async () => {
    const { site, temporary, kill, ended } = await startedSandbox();
    const mara = site.users.find(({ login }) => login === "mara");
    expect(mara).toMatchObject({ is_admin: false, password: expect.any(String) });
    expect(site.users.some((user) => user.is_admin)).toBe(true);
    const env = { TONGS_HOST: site.url, TONGS_TOKEN: mara?.token ?? "" };
    const list = startBuilt(["pr", "list", "-R", "mara/harbor", "--json"], { env });
    expect(await list.ended).toBe(0);
    kill("SIGTERM");
    expect(await ended).toBe(143);
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("exits with 130 on Ctrl-C, without an error", async () => {
    const { kill, ended, stderr } = await startedSandbox("--empty");
    kill("SIGINT");
    expect(await ended).toBe(130);
    expect(stderr()).not.toContain("✗");
  });

  it("keeps its state in --dir", async () => {
    const dir = join(emptyFolder(), "state");
    const first = await startedSandbox("--dir", dir);
    first.kill("SIGTERM");
    await first.ended;
    expect(existsSync(dir)).toBe(true);
    const second = await startedSandbox("--dir", dir);
    expect(second.site.users).toEqual(first.site.users);
    second.kill("SIGTERM");
    await second.ended;
  });

  it("prints the URL, the users and the next command as text", async () => {
    const running = startBuilt(["sandbox", "--port", "0"]);
    await running.until("harbormaster");
    running.kill("SIGTERM");
    await running.ended;
    expect(running.stdout()).toMatch(/^title\tSandbox\nurl\thttp:\/\/127\.0\.0\.1:\d+\n/);
    expect(running.stderr()).toContain("tongs pr list -R mara/harbor");
  });
});
