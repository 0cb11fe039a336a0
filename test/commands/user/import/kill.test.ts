import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { bundle } from "../../../support/bundle.ts";
import { emptyFolder } from "../../../support/tongs.ts";
import { type AccountServer, accountServer, people } from "./forge.ts";

const kills = 50;
const rows = 120;
let program: string;
let server: AccountServer;
/** Called when a request arrives, and when it is answered, to choose the moment. */
let onRequest = () => {};

beforeAll(async () => {
  program = await bundle();
  server = await accountServer(async () => {
    onRequest();
    // Requests are answered in another order than they arrive.
    for (let turns = Math.floor(Math.random() * 20); turns > 0; turns -= 1) await setImmediate();
    void setImmediate().then(() => onRequest());
    return undefined;
  });
});
afterAll(() => server.close());

/** Runs the import and kills it at a random moment, unless it ends before. */
async function runAndKill(folder: string, flags: readonly string[], mayKill: boolean): Promise<"killed" | "ended"> {
  const env = {
    PATH: process.env["PATH"],
    TONGS_CONFIG_DIR: folder,
    TONGS_HOST: server.url,
    TONGS_TOKEN: "not-a-real-token",
  };
  const child = spawn(process.execPath, [program, "user", "import", "people.csv", ...flags], {
    cwd: folder,
    env,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (piece: Buffer) => {
    stderr += piece.toString();
  });
  if (mayKill) killLater(child);
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once("close", (...ended) => resolve(ended)),
  );
  onRequest = () => {};
  if (signal === "SIGKILL") return "killed";
  expect(`${code} ${stderr}`, "an import that was not killed succeeds").toMatch(/^0 /);
  return "ended";
}

/** Kills the import when some requests have arrived and been answered, or sometimes while it starts. */
function killLater(child: ChildProcess): void {
  if (Math.random() < 0.1) {
    child.once("spawn", () => child.kill("SIGKILL"));
    return;
  }
  let left = Math.floor(Math.random() * 50);
  onRequest = () => {
    left -= 1;
    if (left <= 0) child.kill("SIGKILL");
  };
}

it(`repeats and loses nothing when it is killed at ${kills} random moments`, async () => {
  let killed = 0;
  while (killed < kills) {
    const folder = emptyFolder();
    writeFileSync(join(folder, "people.csv"), people(rows));
    server.accounts.clear();
    server.made.length = 0;
    const made = ["--generate-passwords", "passwords.csv", "--quiet"];
    let ended = await runAndKill(folder, made, true);
    while (ended === "killed") {
      killed += 1;
      // One that was killed as it started has no journal.
      const resumes = existsSync(join(folder, "people.csv.journal")) ? ["--resume"] : [];
      ended = await runAndKill(folder, [...made, ...resumes], killed < kills);
    }
    const names = Array.from({ length: rows }, (_, index) => `u${index}`);
    expect(server.made.map((one) => String(one["username"])).sort()).toEqual([...names].sort());
    const admins = [...server.accounts.values()].filter((user) => user.is_admin).length;
    expect(admins).toBe(rows / 10);
    const lines = readFileSync(join(folder, "passwords.csv"), "utf8").trim().split("\n").slice(1);
    const sent = server.made.map((one) => `${String(one["username"])},${String(one["password"])}`);
    expect(lines.sort()).toEqual(sent.sort());
    const journal = readFileSync(join(folder, "people.csv.journal"), "utf8");
    for (const { password } of server.accounts.values()) expect(journal).not.toContain(password);
    rmSync(folder, { recursive: true, force: true });
  }
  expect(killed).toBe(kills);
});
