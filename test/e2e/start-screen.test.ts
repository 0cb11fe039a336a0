import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { serve, type TestServer } from "../support/server.ts";
import { emptyFolder, startBuilt } from "./built.ts";
import { missing, onTerminal } from "./terminal.ts";

const skip = { skip: missing !== "" };

let server: TestServer | undefined;

describe("the built program without arguments", () => {
  it(`shows on a terminal where it works and what to do next${missing}`, skip, async () => {
    const env = { TONGS_HOST: "https://git.example.org", TONGS_TOKEN: "not-a-real-token" };
    const terminal = await onTerminal([], { env, columns: 80 });
    expect(await terminal.ended).toBe(0);
    const shown = terminal.read();
    expect(shown).toContain("Account     https://git.example.org (TONGS_HOST)");
    expect(shown.match(/^ {2}tongs .*/gm)).toHaveLength(5);
    expect(shown).not.toContain("not-a-real-token");
  });

  it("prints the help in a pipe", async () => {
    const [alone, help] = [startBuilt([]), startBuilt(["--help"])];
    expect([await alone.ended, await help.ended]).toEqual([0, 0]);
    expect(alone.stdout()).toBe(help.stdout());
    expect(alone.stdout()).toContain("HELP TOPICS");
  });
});

describe("the notice of the built program", () => {
  it(`comes after the output, once, and a silent address does not keep the program${missing}`, skip, async () => {
    const folder = emptyFolder();
    const body = { version: "99.0.0", url: "https://example.org/tongs" };
    server = await serve(() => ({ body }));
    const env = { TONGS_UPDATE_URL: server.url, XDG_STATE_HOME: folder };
    const first = await onTerminal(["alias", "list"], { env });
    expect(await first.ended).toBe(0);
    expect(first.read()).toMatch(
      /A new version of tongs is available: \S+ → 99\.0\.0\nhttps:\/\/example\.org\/tongs\n$/,
    );
    const second = await onTerminal(["alias", "list"], { env });
    expect(await second.ended).toBe(0);
    expect(second.read()).not.toContain("99.0.0");
    expect(server.seen).toHaveLength(1);
    await server.close();
    server = await serve(() => undefined);
    writeFileSync(join(folder, "tongs", "update-check.json"), "{}");
    const silent = await onTerminal(["alias", "list"], { env: { ...env, TONGS_UPDATE_URL: server.url } });
    expect(await silent.ended).toBe(0);
    expect(server.seen).toHaveLength(1);
  });
});
