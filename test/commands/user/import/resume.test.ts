import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { emptyFolder, tongs, type World } from "../../../support/tongs.ts";
import { account } from "../forge.ts";
import { type AccountServer, accountServer, people } from "./forge.ts";

let server: AccountServer;
afterEach(() => server.close());

/** A folder with an import of 20 users that was interrupted after some of them. */
async function interrupted(flags: readonly string[], name = "people.csv") {
  const cwd = emptyFolder();
  const stop = new AbortController();
  let posts = 0;
  server = await accountServer(({ method }) => {
    posts += method === "POST" ? 1 : 0;
    if (posts === 8) stop.abort(new Error("interrupted"));
    return undefined;
  });
  const file = join(cwd, name);
  writeFileSync(file, people(20));
  const run = (line: readonly string[], world: World = {}) => {
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    return tongs(["user", "import", ...line], { cwd, ...world, env });
  };
  const first = await run([file, ...flags], { signal: stop.signal });
  expect(first.code).not.toBe(0);
  expect(server.made.length).toBeLessThan(20);
  return { cwd, file, run, first };
}

const passwords = (cwd: string) => join(cwd, "passwords.csv");
const generated = (cwd: string) =>
  readFileSync(passwords(cwd), "utf8")
    .trim()
    .split("\n")
    .slice(1)
    .sort((a, b) => a.localeCompare(b));
const sent = () => server.made.map((one) => `${one["username"]},${one["password"]}`).sort((a, b) => a.localeCompare(b));

describe("user import --resume", () => {
  it("needs only the file: the other options come from the journal", async () => {
    const folder = emptyFolder();
    const { file, run } = await interrupted(["--generate-passwords", passwords(folder), "--jobs", "2"]);
    const ran = await run([file, "--resume"]);
    expect(ran.code).toBe(0);
    expect(server.made).toHaveLength(20);
    expect(generated(folder)).toEqual(sent());
    expect(server.widest()).toBeLessThanOrEqual(2);
  });

  it("follows a link that --journal names, but none where the journal is beside the file", async () => {
    const { cwd, file, run } = await interrupted(["--generate-passwords", passwords(emptyFolder())]);
    const journal = `${file}.journal`;
    renameSync(journal, join(cwd, "elsewhere"));
    symlinkSync(join(cwd, "elsewhere"), journal);
    const refused = await run([file, "--resume"]);
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("symbolic link not followed (ELOOP)")]);
    expect(await run(["--resume", "--journal", journal])).toMatchObject({ code: 0 });
    rmSync(join(cwd, "elsewhere"));
    // A new import would create what the link names.
    expect((await run([file, "--on-existing", "skip", "--generate-passwords", join(cwd, "new")])).code).toBe(1);
    expect(existsSync(join(cwd, "elsewhere"))).toBe(false);
  });

  it("needs only --journal, from any folder", async () => {
    const folder = emptyFolder();
    const { file, run } = await interrupted(["--generate-passwords", passwords(folder)]);
    const ran = await run(["--resume", "--journal", `${file}.journal`], { cwd: emptyFolder() });
    expect(ran.code).toBe(0);
    expect(generated(folder)).toEqual(sent());
  });

  it("does with existing users what the first command said", async () => {
    const { file, run } = await interrupted([
      "--on-existing",
      "skip",
      "--generate-passwords",
      passwords(emptyFolder()),
    ]);
    server.accounts.set("u19", { ...account("u19"), password: "not-a-secret" });
    const ran = await run([file, "--resume"]);
    expect(ran.stderr).toContain("1 skipped");
    expect(ran.code).toBe(0);
  });

  it("keeps no password in the journal", async () => {
    const folder = emptyFolder();
    const { file } = await interrupted(["--generate-passwords", passwords(folder)]);
    const journal = readFileSync(`${file}.journal`, "utf8");
    for (const line of generated(folder)) expect(journal).not.toContain(line.split(",")[1]);
    expect(JSON.parse(journal.split("\n")[0] ?? "")).toMatchObject({
      command: { input: file, format: "csv", on_existing: "fail", generate_passwords: passwords(folder) },
    });
  });

  it("refuses another password file, whose passwords would not be those that were sent", async () => {
    const { cwd, file, run } = await interrupted(["--generate-passwords", passwords(emptyFolder())]);
    const before = server.made.length;
    const ran = await run([file, "--resume", "--generate-passwords", "other.csv"]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain("The import was started with --generate-passwords");
    expect(server.made).toHaveLength(before);
    expect(existsSync(join(cwd, "other.csv"))).toBe(false);
  });

  it("resumes a journal that does not have the options, with flags, and names them in the next command", async () => {
    const folder = emptyFolder();
    const { file, run } = await interrupted(["--generate-passwords", passwords(folder)]);
    const [header = "", ...lines] = readFileSync(`${file}.journal`, "utf8").split("\n");
    const { command: _command, ...old } = JSON.parse(header) as Record<string, unknown>;
    writeFileSync(`${file}.journal`, [JSON.stringify(old), ...lines].join("\n"));
    const bare = await run(["--resume", "--journal", `${file}.journal`]);
    expect(bare.code).toBe(2);
    expect(bare.stderr).toContain(`Pass the file: tongs user import FILE --resume --journal ${file}.journal`);
    const ran = await run([file, "--resume", "--generate-passwords", passwords(folder)]);
    expect(ran.code).toBe(0);
    expect(generated(folder)).toEqual(sent());
  });

  it("prints the whole command that continues, at the end and when the first command is repeated", async () => {
    const folder = emptyFolder();
    const flags = ["--generate-passwords", passwords(folder), "--journal", join(folder, "my journal")];
    const { file, run, first } = await interrupted(flags, "the people.csv");
    const command = `tongs user import '${file}' --resume --journal '${join(folder, "my journal")}'`;
    expect(first.stderr).toContain(`To continue, run: ${command}\n`);
    const again = await run([file, ...flags]);
    expect(again.code).toBe(2);
    expect(again.stderr).toContain("is the journal of an unfinished import");
    expect(again.stderr).toContain(`To continue it, run: ${command}\n`);
    // What was under way at the interruption may have arrived meanwhile.
    expect(server.made.length).toBeLessThan(20);
  });

  it("with --dry-run reads the journal, and changes no file", async () => {
    const { file, run } = await interrupted(["--generate-passwords", passwords(emptyFolder()), "--jobs", "1"]);
    const journal = readFileSync(`${file}.journal`, "utf8");
    const made = server.made.map((one) => String(one["username"]));
    writeFileSync(`${file}.failed`, "kept\n");
    const ran = await run([file, "--resume", "--dry-run"]);
    expect(ran.code, ran.stderr).toBe(0);
    const next = /"username": ?"(\w+)"/.exec(ran.stdout + ran.stderr)?.[1];
    expect(next).toBeDefined();
    expect(made).not.toContain(next);
    expect(readFileSync(`${file}.failed`, "utf8")).toBe("kept\n");
    expect(readFileSync(`${file}.journal`, "utf8")).toBe(journal);
    const first = await run([file, "--resume"]);
    expect([first.code, existsSync(`${file}.failed`)]).toEqual([0, false]);
  });

  it("keeps the failed rows of an earlier run until the import is completed", async () => {
    const { file, run } = await interrupted(["--generate-passwords", passwords(emptyFolder())]);
    writeFileSync(`${file}.failed`, "kept\n");
    const stop = new AbortController();
    stop.abort(new Error("interrupted"));
    expect((await run([file, "--resume"], { signal: stop.signal })).code).not.toBe(0);
    expect(readFileSync(`${file}.failed`, "utf8")).toBe("kept\n");
  });

  it("is a usage error without a file and without a journal that names one", async () => {
    server = await accountServer();
    const run = (line: readonly string[]) =>
      tongs(["user", "import", ...line], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" } });
    expect((await run([])).stderr).toContain("Missing argument FILE");
    expect((await run(["--resume"])).stderr).toContain("Missing argument FILE");
    const missing = await run(["--resume", "--journal", "nosuch"]);
    expect(missing).toMatchObject({ code: 2 });
    expect(missing.stderr).toContain("Journal nosuch not found");
  });
});

describe("the same mistake on many lines", () => {
  it("is one line with a count and the first places", async () => {
    server = await accountServer();
    const file = join(emptyFolder(), "people.csv");
    const rows = Array.from({ length: 300 }, (_, index) => `u${index},${index < 3 ? "bad" : `u${index}@example.org`}`);
    writeFileSync(file, `username,email\n${rows.join("\n")}\n`);
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    const ran = await tongs(["user", "import", file], { env });
    expect(ran.code).toBe(2);
    const lines = ran.stderr.split("\n");
    expect(lines.filter((line) => line.includes("missing password"))).toEqual([
      expect.stringMatching(/^\d+ lines: missing password .*: lines \d+ \(u\d+\), .* and \d+ more$/),
    ]);
    expect(lines.filter((line) => line.includes("not a valid email address"))).toHaveLength(3);
    expect(lines.length).toBeLessThan(10);
  });
});
