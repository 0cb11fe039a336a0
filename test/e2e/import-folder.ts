import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type AccountServer, people } from "../commands/user/import/forge.ts";
import { emptyFolder, startBuilt } from "./built.ts";

/** The command line that most tests run. */
export const line = "user import people.csv --generate-passwords passwords.csv";

/** A CSV of users without administrators. */
export const plain = (count: number) => people(count).replaceAll(",true\n", ",false\n");

/** A folder with `people.csv`, and functions that run the built program in it. */
export function importFolder(content: string, server: () => AccountServer) {
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "people.csv"), content);
  const start = (typed: string) => {
    const env = { TONGS_HOST: server().url, TONGS_TOKEN: "not-a-real-token" };
    return startBuilt(typed.startsWith("user ") ? typed.split(" ") : typed, { cwd, env });
  };
  const run = async (typed: string) => {
    const running = start(typed);
    return { code: await running.ended, stdout: running.stdout(), stderr: running.stderr() };
  };
  const text = (name: string) => readFileSync(join(cwd, name), "utf8");
  /** The lines of the password file, sorted. */
  const passwordLines = () => text("passwords.csv").trim().split("\n").slice(1).sort();
  return { cwd, start, run, text, passwordLines };
}

/** The names and passwords of the users that a server created, as lines of a password file. */
export const sentTo = (server: AccountServer) =>
  server.made.map((one) => `${String(one["username"])},${String(one["password"])}`).sort();

/** The action of each row, from `--json`. */
export const actions = (stdout: string) => (JSON.parse(stdout) as { action: string }[]).map(({ action }) => action);
