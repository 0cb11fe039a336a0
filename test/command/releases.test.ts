import { describe, expect, it } from "vitest";
import type { CommandSpec } from "../../src/command/spec.ts";
import { isGroup, type Table } from "../../src/command/table.ts";
import { table } from "../../src/commands/index.ts";
import { behaviors } from "../../src/forge/generated/since.ts";
import { firstReleases } from "../../src/forge/support.ts";
import { tongs } from "../support/tongs.ts";

/** The declarations of all commands as they are written. */
async function declared(of: Table): Promise<CommandSpec[]> {
  const found = Object.values(of).map(async (entry) =>
    isGroup(entry) ? declared(await entry.verbs()) : [await entry()],
  );
  return (await Promise.all(found)).flat();
}

describe("the releases in help texts", () => {
  it("are made from the table: no sentence names one by hand", async () => {
    const texts = (await declared(table)).flatMap(({ summary, details = "", args, flags, exits = {} }) => [
      ...[summary, details, ...Object.values(exits)],
      ...[...Object.values(args), ...Object.values(flags)].map(({ description }) => description),
    ]);
    const ofTable = Object.values(behaviors).map(firstReleases);
    const byHand = texts.filter((text) => {
      const rest = ofTable.reduce((left, releases) => left.replace(`(${releases})`, ""), text ?? "");
      return /(Gitea|Forgejo) (before |since )?\d|\((Gitea|Forgejo)/.test(rest);
    });
    expect(byHand).toEqual([]);
  });

  it("follow the details of a command, and the description of a flag", async () => {
    const { stdout } = await tongs(["run", "cancel", "--help"], { columns: 100, terminal: true });
    expect(stdout).toContain("given.\n\nAvailable since Gitea 28 and Forgejo 16.0.\n\n");
    expect(stdout).toMatch(/--force +do not wait for the runners to stop \(Gitea 28\)\n/);
    const list = (await tongs(["run", "list", "--help"])).stdout.replace(/\n +/g, " ");
    expect(list).toMatch(/--org ORG +for an organization, instead of the repository \(Gitea 1\.25\) /);
  });

  it("are those of the field that a flag sets, or changes, or reads from a file", async () => {
    const edit = (await tongs(["repo", "edit", "--help"])).stdout.replace(/\n +/g, " ");
    expect(edit).toContain("default style of updates (Gitea 1.27, Forgejo 10.0): merge, rebase");
    expect(edit).toContain("read the token for the source of a pull mirror from a file; - reads stdin (Gitea 1.27)");
    expect(edit).not.toMatch(/enable issues \(/);
    expect((await tongs(["compare", "--help"])).stdout).toContain("print the changes as a diff (Gitea 1.27)\n");
    const protection = (await tongs(["branch", "protection", "edit", "--help"])).stdout.replace(/\n +/g, " ");
    expect(protection).toMatch(/add to: users who can bypass the protection, .* \(Gitea 1\.27\)/);
  });

  it("are not said of what all releases have", async () => {
    const { stdout } = await tongs(["release", "create", "--help"]);
    expect(stdout).not.toContain("Available since");
    expect(stdout).toMatch(/--tag-message TEXT +create an annotated tag with this message\n/);
  });
});
