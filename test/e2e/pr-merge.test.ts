import { describe, expect, it } from "vitest";
import { testSandbox } from "../sandbox/with-sandbox.ts";
import { keys, missing, onTerminal } from "./terminal.ts";

const repo = "/repos/mara/harbor";
const sandbox = await testSandbox();

/** Opens a pull request with one new file from a branch of mara/harbor, and returns its number. */
async function openPull(branch: string): Promise<number> {
  const file = { content: Buffer.from("red\n").toString("base64"), message: branch, new_branch: branch };
  await sandbox.ask("POST", `${repo}/contents/${branch}.txt`, "mara", file);
  const made = await sandbox.ask("POST", `${repo}/pulls`, "mara", { title: "Moor", head: branch, base: "main" });
  return (made.body as { readonly number: number }).number;
}

const merge = (number: number, ...flags: string[]) =>
  onTerminal(["pr", "merge", String(number), "-R", "mara/harbor", ...flags], {
    env: { TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara") },
  });
const pull = async (number: number) =>
  (await sandbox.ask("GET", `${repo}/pulls/${number}`, "mara")).body as Readonly<Record<string, unknown>>;
const branch = async (name: string) => (await sandbox.ask("GET", `${repo}/branches/${name}`, "mara")).status;

describe(`pr merge on a terminal of 80 columns${missing}`, { skip: missing !== "" }, () => {
  it("asks for style and branch, says what will happen, and merges only after that", async () => {
    const number = await openPull("mooring");
    const merging = await merge(number);
    await merging.until("What merge method would you like to use?");
    expect(await pull(number)).toMatchObject({ merged: false });
    merging.type(keys.down + keys.enter);
    await merging.until("Delete the branch mooring after the merge?");
    merging.type(`y${keys.enter}`);
    await merging.until("(Y/n)");
    expect(await pull(number)).toMatchObject({ merged: false });
    expect(merging.read()).toContain(`Merge mara/harbor#${number} (Moor) into main with style rebase, and delete`);
    merging.type(keys.enter);
    expect(await merging.ended).toBe(0);
    expect(merging.read()).toContain(`Merged mara/harbor#${number} into main (rebase)`);
    expect(await pull(number)).toMatchObject({ merged: true });
    expect(await branch("mooring")).toBe(404);
  });

  it("merges nothing after no, or Ctrl-C at any question", async () => {
    const number = await openPull("fender");
    const interrupted = await merge(number);
    await interrupted.until("What merge method");
    interrupted.type(keys.interrupt);
    expect(await interrupted.ended).toBe(3);
    const declined = await merge(number, "--squash", "--no-delete-branch");
    await declined.until("with style squash?");
    declined.type(`n${keys.enter}`);
    expect(await declined.ended).toBe(3);
    expect(declined.read()).toContain("Cancelled; nothing was done");
    expect(await pull(number)).toMatchObject({ merged: false });
    expect(await branch("fender")).toBe(200);
  });
});
