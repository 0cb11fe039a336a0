import { describe, expect, it } from "vitest";
import { recorded, recordedRecord } from "../../support/recorded.ts";
import { gitFolder } from "./git-folder.ts";
import { type Scripted, scripted } from "./scripted.ts";

let forge: Scripted;

/** A checkout in which the branches `main` and `tides` both changed, and the pull request between them. */
function diverged(theirs: string) {
  const folder = gitFolder();
  folder.commit("Tides", "tides.txt", "one\n\n\n\n\n\n\n\ntwo\n");
  folder.git("switch", "-q", "-c", "tides");
  const head = folder.commit("Ours", "tides.txt", "ONE\n\n\n\n\n\n\n\ntwo\n");
  folder.git("switch", "-q", "main");
  const base = folder.commit("Theirs", "tides.txt", theirs);
  const record = recordedRecord("gitea", "a pull request with a conflict: mergeable is false", { number: 12 });
  const pull: Record<string, unknown> = {
    ...record,
    base: { ...(record["base"] as object), sha: base },
    head: { ...(record["head"] as object), sha: head },
  };
  return { folder, pull };
}

describe("pr merge in a clone that has both commits", () => {
  const tryAgain = recorded("gitea", "merge it: 405, although waiting does not help");

  it("finds a conflict with git, and fails at once with the files", async () => {
    const { folder, pull } = diverged("EINS\n\n\n\n\n\n\n\ntwo\n");
    forge = await scripted({
      "POST /pulls/12/merge": tryAgain,
      "GET /pulls/12": { body: pull },
      "GET /branches/main": { body: { name: "main", protected: false } },
    });
    const waits: number[] = [];
    const world = {
      cwd: folder.path,
      now: new Date(String(pull["updated_at"])),
      onSleep: (wait: number) => waits.push(wait),
    };
    const ran = await forge.run(["pr", "merge", "12", "--merge"], world);
    expect(ran.code).toBe(9);
    expect(ran.stderr).toContain("✗ Cannot merge mara/harbor#12: Conflicts with main in tides.txt\n");
    expect(waits).toEqual([]);
    expect(forge.lines().slice(0, 3)).toEqual(["GET /pulls/12", "POST /pulls/12/merge", "GET /pulls/12"]);
    expect(forge.writes()).toHaveLength(1);
  });

  it("keeps retrying if git finds no conflict, although both sides changed the file", async () => {
    const { folder, pull } = diverged("one\n\n\n\n\n\n\n\nTWO\n");
    forge = await scripted({
      "POST /pulls/12/merge": [tryAgain, tryAgain, { status: 200 }],
      "GET /pulls/12": [{ body: pull }, { body: pull }, { body: { ...pull, mergeable: true } }],
    });
    const ran = await forge.run(["pr", "merge", "12", "--merge"], { cwd: folder.path });
    expect(ran.code).toBe(0);
    expect(forge.writes()).toHaveLength(3);
  });
});
