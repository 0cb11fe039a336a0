import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { dataCopy } from "../metrics/data.ts";
import { emptyFolder, startBuilt } from "./built.ts";
import { startedSandbox } from "./started-sandbox.ts";

let sandbox: Awaited<ReturnType<typeof startedSandbox>>;
let env: Record<string, string>;
beforeAll(async () => {
  sandbox = await startedSandbox("--empty");
  const { url, users } = sandbox.site;
  env = { TONGS_HOST: url, TONGS_TOKEN: users.find((user) => user.is_admin)?.token ?? "" };
});
afterAll(async () => {
  sandbox.kill("SIGTERM");
  await sandbox.ended;
});

async function run(typed: string, cwd: string) {
  const running = startBuilt(typed, { env, cwd });
  return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
}

describe("a disk that is full", () => {
  const rows = 300;

  it("stops an import before sending a user whose generated password is not on disk", async () => {
    const cwd = emptyFolder();
    const people = Array.from({ length: rows }, (_, index) => `pass${index},pass${index}@example.org`);
    writeFileSync(join(cwd, "people.csv"), `username,email\n${people.join("\n")}\n`);
    const full = await run("(ulimit -f 6; tongs user import people.csv --generate-passwords words.csv)", cwd);
    expect([full.code, full.stderr]).toEqual([
      1,
      expect.stringMatching(/✗ Cannot write \S*words\.csv: file too large/),
    ]);
    expect(full.stderr).toContain("Free up some space, then run the same command again.");
    expect((await run("tongs user list --query pass --all --jq length", cwd)).stdout).toBe("0\n");
    const again = await run("tongs user import people.csv --generate-passwords words.csv", cwd);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining(`${rows} created`)]);
  });

  it("leaves the output file of a metrics command as it was, and no part of a new one", async () => {
    const cwd = emptyFolder();
    const readings = dataCopy("collectd-5.12.delimited.bin");
    writeFileSync(join(cwd, "old"), "old");
    for (const typed of ["decode FILE -o", "report FILE -o", "plot FILE --series *load* --svg"])
      for (const name of ["old", "new"]) {
        const full = await run(`(ulimit -f 0; tongs metrics ${typed.replace("FILE", `'${readings}'`)} ${name})`, cwd);
        expect(full).toMatchObject({ code: 1, stderr: expect.stringContaining("file too large (EFBIG)") });
        expect(readFileSync(join(cwd, "old"), "utf8")).toBe("old");
        expect(readdirSync(cwd)).toEqual(["old"]);
      }
  });

  it("leaves no part of an exported policy", async () => {
    const cwd = emptyFolder();
    await run("tongs repo create charts", cwd);
    const owner = (await run("tongs api /user --jq .login", cwd)).stdout.trim();
    const full = await run(`(ulimit -f 0; tongs policy export policy.yml -R ${owner}/charts)`, cwd);
    expect([full.code, full.stderr]).toEqual([
      1,
      expect.stringContaining("✗ Cannot write policy.yml: file too large (EFBIG)"),
    ]);
    expect(existsSync(join(cwd, "policy.yml"))).toBe(false);
    expect((await run(`tongs policy export policy.yml -R ${owner}/charts`, cwd)).code).toBe(0);
  });

  it.skipIf(!existsSync("/dev/full"))(
    "is told, too, when it takes no output (skipped where there is no /dev/full)",
    async () => {
      for (const typed of ["user list", "user list --all --json", "--help", "--version"]) {
        const { code, stderr } = await run(`tongs ${typed} > /dev/full`, emptyFolder());
        expect([code, stderr]).toEqual([1, "✗ Could not write the output: no space left on device (ENOSPC)\n"]);
      }
      const reading = join(import.meta.dirname, "..", "data", "metrics", "single-cpu-derive.bin");
      const { code, stderr } = await run(`tongs metrics decode ${reading} > /dev/full`, emptyFolder());
      expect([code, stderr]).toEqual([1, "✗ Cannot write: no space left on device (ENOSPC)\n"]);
      // Of a monitoring plugin, 1 is a warning.
      for (const form of ["", "--json"]) {
        const checked = await run(`tongs metrics check '*' ${reading} --crit 1e30 ${form} > /dev/full`, emptyFolder());
        expect(checked).toMatchObject({ code: 3, stderr: expect.stringContaining("(ENOSPC)") });
      }
      expect((await run("tongs metrics check > /dev/full", emptyFolder())).code).toBe(3);
    },
  );
});
