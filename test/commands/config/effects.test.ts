import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { pagerCommand } from "../../../src/output/pager.ts";
import { editorName } from "../../../src/prompts/editor.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();

let cwd: string;
let config: string;
beforeEach(() => {
  cwd = emptyFolder();
  config = join(cwd, "config");
});
const env = (more: Record<string, string> = {}) => ({ TONGS_CONFIG_DIR: config, ...more });
const set = async (key: string, value: string) =>
  expect((await tongs(["config", "set", key, value], { cwd, env: env() })).code).toBe(0);
const system = (more: Record<string, string>) => ({ env: env(more), platform: process.platform });

describe("the order of settings and environment variables", () => {
  it("is TONGS_EDITOR, config, VISUAL, EDITOR for the editor", async () => {
    const all = { TONGS_EDITOR: "first", VISUAL: "third", EDITOR: "fourth" };
    expect(editorName(system({ VISUAL: "third", EDITOR: "fourth" }))).toBe("third");
    expect(editorName(system({ EDITOR: "fourth" }))).toBe("fourth");
    await set("editor", "second");
    expect(editorName(system({ VISUAL: "third", EDITOR: "fourth" }))).toBe("second");
    expect(editorName(system(all))).toBe("first");
  });

  it("is TONGS_PAGER, config, PAGER for the pager; cat and an empty variable disable it", async () => {
    expect(pagerCommand(system({ PAGER: "third" }))).toBe("third");
    await set("pager", "second");
    expect(pagerCommand(system({ PAGER: "third" }))).toBe("second");
    expect(pagerCommand(system({ TONGS_PAGER: "first", PAGER: "third" }))).toBe("first");
    expect(pagerCommand(system({ TONGS_PAGER: "", PAGER: "third" }))).toBeUndefined();
    await set("pager", "cat");
    expect(pagerCommand(system({ PAGER: "third" }))).toBeUndefined();
  });

  it("is TONGS_BROWSER, config, BROWSER for the browser", async () => {
    const programs = ["first", "second", "third"].map((name) => {
      const script = join(cwd, name);
      writeFileSync(script, `#!/bin/sh\nprintf %s "$1" > ${script}.opened\n`, { mode: 0o755 });
      return script;
    });
    const [first = "", second = "", third = ""] = programs;
    const opened = async (more: Record<string, string>) => {
      const ran = await sandbox.run(["pr", "list", "--web"], { cwd, env: env({ TONGS_REPO: "mara/harbor", ...more }) });
      expect(ran.code).toBe(0);
      return programs.findLast((script) => existsSync(`${script}.opened`));
    };
    expect(await opened({ BROWSER: third })).toBe(third);
    expect(readFileSync(`${third}.opened`, "utf8")).toBe(`${sandbox.url}/mara/harbor/pulls`);
    await set("browser", second);
    writeFileSync(`${third}.opened`, "");
    expect(await opened({ BROWSER: third })).toBe(third);
    expect(readFileSync(`${third}.opened`, "utf8")).toBe("");
    expect(existsSync(`${second}.opened`)).toBe(true);
    await opened({ TONGS_BROWSER: first, BROWSER: third });
    expect(existsSync(`${first}.opened`)).toBe(true);
  });
});

describe("the setting journal", () => {
  it("switches the journal off and on, unless TONGS_JOURNAL says otherwise", async () => {
    const world = { cwd, env: env({ TONGS_REPO: "mara/harbor", XDG_STATE_HOME: join(cwd, "state") }), as: "mara" };
    const entries = async () => ((await sandbox.run(["journal", "list", "--json"], world)).json() as unknown[]).length;
    await set("journal", "off");
    expect((await sandbox.run(["label", "create", "reef"], world)).code).toBe(0);
    expect(await entries()).toBe(0);
    const on = { ...world, env: { ...world.env, TONGS_JOURNAL: "on" } };
    expect((await sandbox.run(["label", "create", "shoal"], on)).code).toBe(0);
    expect(await entries()).toBe(1);
    await set("journal", "on");
    expect((await sandbox.run(["label", "create", "sound"], world)).code).toBe(0);
    expect(await entries()).toBe(2);
  });
});
