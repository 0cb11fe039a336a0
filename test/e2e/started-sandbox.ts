import { emptyFolder, startBuilt } from "./built.ts";

interface Announced {
  readonly url: string;
  readonly users: readonly {
    readonly login: string;
    readonly password: string;
    readonly token: string;
    readonly is_admin: boolean;
  }[];
}

/** Starts `tongs sandbox --json --port 0` and reads its first line. */
export async function startedSandbox(...more: string[]) {
  const temporary = emptyFolder();
  const running = startBuilt(["sandbox", "--json", "--port", "0", ...more], { env: { TMPDIR: temporary } });
  await running.until("\n");
  const site = JSON.parse(running.stdout().split("\n")[0] ?? "") as Announced;
  return { ...running, site, temporary };
}
