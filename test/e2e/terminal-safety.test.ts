import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestSandbox, testSandbox } from "../sandbox/with-sandbox.ts";
import { type MutatingServer, mutatingServer } from "../support/mutating-server.ts";
import { hostile, rawCodes } from "../support/raw-codes.ts";
import { emptyFolder, startBuilt } from "./built.ts";
import { keys, missing, onTerminal } from "./terminal.ts";

let sandbox: TestSandbox;
let server: MutatingServer;
let env: Record<string, string>;
beforeAll(async () => {
  sandbox = await testSandbox();
  server = await mutatingServer(sandbox.url);
  server.append(hostile, {
    except: new Set(["full_name", "name", "login", "sha", "ref", "status", "state", "clone_url"]),
  });
  env = { TONGS_HOST: server.url, TONGS_TOKEN: sandbox.token("harbormaster"), TONGS_REPO: "mara/harbor", PAGER: "cat" };
});
afterAll(async () => {
  await server.close();
});

/** What passed raw; the terminal itself turns newlines into CR LF. */
const raw = (written: string) => rawCodes(written.replaceAll("\r\n", "\n"), { drawing: true });

describe(`the built program on a terminal${missing}`, { skip: missing !== "" }, () => {
  it.each([
    ["pr list"],
    ["pr view 2 --comments"],
    ["pr diff 2"],
    ["pr list --json"],
    ["pr list --csv"],
    ["pr list --jq .[].title"],
    ["pr list --jq .[].title|stderr"],
    ["user list --jsonl --debug"],
    ["run logs latest"],
    ["run watch latest --interval 1"],
    ["api /repos/mara/harbor/pulls/2"],
    ["api /repos/mara/nothing"],
    ["user view nobody --debug"],
  ])("%s shows no code of the server", async (line) => {
    const shown = await onTerminal(line.split(" "), { env, columns: 400 });
    await shown.ended;
    expect(shown.read()).toContain("owned");
    expect(raw(shown.written())).toEqual([]);
  });

  it("a pager that is started gets no code of the server", async () => {
    const shown = await onTerminal(["pr", "diff", "2"], { env: { ...env, PAGER: "cat -u" } });
    expect(await shown.ended).toBe(0);
    expect(shown.read()).toContain("owned");
    expect(raw(shown.written())).toEqual([]);
  });

  it("the title in the prompt of pr edit, which any author chose, is safe", async () => {
    const edit = await onTerminal(["pr", "edit", "2"], { env, columns: 400 });
    await edit.until("What would you like to edit?");
    // The title is the first field.
    edit.type(` ${keys.enter}`);
    await edit.until("owned");
    edit.type(keys.interrupt);
    expect(await edit.ended).toBe(3);
    expect(raw(edit.written())).toEqual([]);
  });

  it("the host in the settings of a repository is safe in the prompt of auth login", async () => {
    const cwd = emptyFolder();
    spawnSync("git", ["init", "-q", cwd]);
    spawnSync("git", ["-C", cwd, "remote", "add", "origin", `https://forge.example${hostile}/mara/harbor.git`]);
    const login = await onTerminal(["auth", "login"], { cwd, columns: 400 });
    await login.until("Server address");
    login.type(keys.interrupt);
    expect(await login.ended).toBe(3);
    expect(raw(login.written())).toEqual([]);
  });

  it("an error as JSON has escapes", async () => {
    const shown = await onTerminal(["pr", "view", hostile, "--json"], { env, columns: 2000 });
    expect(await shown.ended).not.toBe(0);
    expect(raw(shown.written())).toEqual([]);
    expect(JSON.parse(shown.read())).toMatchObject({ error: { message: expect.stringContaining("\u009b45m") } });
  });

  it("a dry run shows typed text as pictures, in JSON as escapes", async () => {
    for (const more of [[], ["--json"]]) {
      const line = ["pr", "comment", "2", "--body", `x${hostile.replaceAll("\u0000", "")}`, "--dry-run", ...more];
      const shown = await onTerminal(line, { env, columns: 400 });
      expect(await shown.ended).toBe(0);
      expect(shown.read()).toContain("owned");
      expect(raw(shown.written())).toEqual([]);
    }
  });

  it("the progress of git is safe, and keeps its carriage returns", async () => {
    const cwd = emptyFolder();
    const git = join(cwd, "git");
    const words = [...Buffer.from(`remote: 50%\rremote: ${hostile} done\n`)].map(
      (byte) => `\\${byte.toString(8).padStart(3, "0")}`,
    );
    writeFileSync(git, `#!/bin/sh\nprintf '${words.join("")}' >&2\n`);
    chmodSync(git, 0o755);
    const clone = await onTerminal(["repo", "clone", "mara/harbor"], {
      cwd,
      env: { ...env, PATH: `${cwd}:${process.env["PATH"]}` },
    });
    await clone.ended;
    expect(clone.written()).toContain("50%\rremote: \u241b]52");
    expect(raw(clone.written().replace("50%\r", ""))).toEqual([]);
  });

  it.each(["text", "csv", "putval", "json", "ndjson"])(
    "metrics decode --format %s shows no code of a reading",
    async (format) => {
      const cwd = emptyFolder();
      const reading = {
        values: [{ gauge: 1.5 }],
        time: "2026-11-22T05:00:00Z",
        interval: "10s",
        identifier: { host: `edge ${hostile}`, plugin: "load", type: "load" },
        ds_names: ["value"],
      };
      writeFileSync(join(cwd, "readings.ndjson"), `${JSON.stringify(reading)}\n`);
      const encode = startBuilt(["metrics", "encode", "readings.ndjson", "-o", "readings.bin"], { cwd });
      expect(await encode.ended, encode.stderr()).toBe(0);
      const decode = await onTerminal(["metrics", "decode", "readings.bin", "--format", format], { cwd, columns: 400 });
      expect(await decode.ended).toBe(0);
      expect(decode.read()).toContain("owned");
      expect(raw(decode.written())).toEqual([]);
      if (format === "ndjson")
        expect(JSON.parse(decode.read())).toMatchObject({ identifier: { host: reading.identifier.host } });
    },
  );

  it("in a pipe, the text of the server is unchanged", async () => {
    const piped = startBuilt(["pr", "view", "2", "--json", "title"], { env });
    expect(await piped.ended).toBe(0);
    expect(JSON.parse(piped.stdout())).toEqual({ title: expect.stringMatching(hostile.slice(-3)) });
    const jq = startBuilt(["pr", "view", "2", "--jq", ".title"], { env });
    expect(await jq.ended).toBe(0);
    expect(jq.stdout()).toContain(hostile);
  });
});
