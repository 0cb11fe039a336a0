import { readFileSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { type Scripted, scripted } from "../commands/pr/scripted.ts";

let forge: Scripted;
const comment = async (EDITOR: string) => {
  forge = await scripted({
    "POST /issues/12/comments": { status: 201, body: { id: 1, html_url: "https://x.test/1" } },
  });
  return forge.run(["pr", "comment", "12"], { terminal: true, env: { EDITOR } });
};

describe("the editor", () => {
  it("gives the saved text", async () => {
    expect((await comment("printf Moored >")).code).toBe(0);
    expect(forge.writes()[0]?.[1]).toEqual({ body: "Moored" });
  });

  it("cancels the command if it ends with an error, as :cq in vi", async () => {
    const ran = await comment("printf Moored > /dev/null; exit 1;");
    expect(ran.code).toBe(3);
    expect(ran.stderr).toContain("Cancelled; nothing was done");
    expect(forge.writes()).toEqual([]);
  });

  it("keeps a text that is not UTF-8, and names its file", async () => {
    const ran = await comment("printf '\\377\\376' >");
    expect([ran.code, ran.stderr]).toEqual([1, expect.stringContaining("is not UTF-8")]);
    const [, file = ""] = /It is in (\S+)/.exec(ran.stderr) ?? [];
    expect(readFileSync(file)).toEqual(Buffer.from([0xff, 0xfe]));
    rmSync(dirname(file), { recursive: true });
    expect(forge.writes()).toEqual([]);
  });

  it("is an error if it cannot be started", async () => {
    const ran = await comment("nosuch-editor");
    expect(ran.code).toBe(1);
    expect(ran.stderr).toContain("The editor 'nosuch-editor' failed");
    expect(ran.stderr).toContain("tongs config set editor");
  });
});
