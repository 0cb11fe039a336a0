import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { emptyFolder } from "../support/tongs.ts";
import { openTarget, type Person, type Target } from "./support.ts";

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly position: number;
  readonly extra_lines_count?: number;
}

describe("reviews as a text", () => {
  let target: Target;
  let mara: Person;
  let jonas: Person;
  let repo: string;
  let number: string;
  const cwd = emptyFolder();
  const on = (person: Person, line: readonly string[], world: object = {}) =>
    person.tongs(line, { cwd, ...world, env: { TONGS_REPO: repo, ...(world as { env?: object }).env } });
  const put = async (text: string, ...flags: string[]) => {
    writeFileSync(join(cwd, "in.txt"), text);
    const ran = await on(mara, ["file", "put", "tides.txt", "in.txt", "-m", "Tides", ...flags]);
    expect(ran.code, ran.stderr).toBe(0);
  };

  beforeAll(async () => {
    target = await openTarget();
    [mara, jonas] = [await target.person("mara"), await target.person("jonas")];
    repo = `${mara.login}/harbor`;
    expect((await mara.tongs(["repo", "create", "harbor", "--init"])).code).toBe(0);
    await target.ask("PUT", `/repos/${repo}/collaborators/${jonas.login}`, { permission: "write" }, mara);
    await put("1\n2\n3\n4\n5\n6\n");
    await put("1\n2\nthree\nfour\n5\n6\n7\n", "--new-branch", "tides");
    const made = await on(mara, ["pr", "create", "-H", "tides", "-B", "main", "-t", "Tides", "-b", "New", "--json"]);
    number = `${(made.json() as { readonly number: number }).number}`;
  });

  it("are written below the lines of the diff, kept pending, continued, submitted, and their suggestions applied", async () => {
    const editor = (edit: string) => {
      writeFileSync(
        join(cwd, "edit.cjs"),
        `const fs=require("fs"),f=process.argv[2];let t=fs.readFileSync(f,"utf8");${edit};fs.writeFileSync(f,t)`,
      );
      return { terminal: true, env: { EDITOR: `${process.execPath} ${join(cwd, "edit.cjs")}` } };
    };
    const suggestion = "^2 So:\\n```suggestion\\nIII\\nIV\\n```";
    const first = editor(`t="Look\\n"+t.replace(/^> \\+four$/m,"$&\\n${suggestion}")`);
    const pending = await on(jonas, ["pr", "review", number, "--editor", "--pending"], first);
    expect(pending.code, pending.stderr).toBe(0);
    const more = editor(`t="More\\n"+t.replace(/^> \\+7$/m,"$&\\nWhy?")`);
    const going = await on(jonas, ["pr", "review", number, "--editor", "--pending"], more);
    expect([going.code, going.stderr]).toEqual([0, expect.stringContaining("Your pending review of")]);
    expect((await on(mara, ["pr", "thread", "list", number, "--json"])).json()).toEqual([]);
    const all = (await on(jonas, ["pr", "reviews", number, "--json", "id,state"])).json() as {
      id: number;
      state: string;
    }[];
    for (const { id } of all.filter(({ state }) => state === "PENDING")) {
      const line = ["pr", "review", "submit", `${id}`, "--pr", number, "--comment", "--body", "Done"];
      const sent = await on(jonas, line);
      expect(sent.code, sent.stderr).toBe(0);
    }
    const comments = (await on(mara, ["pr", "thread", "list", number, "--json"])).json() as Comment[];
    expect(comments.map(({ position, extra_lines_count: extra = 0 }) => position + extra)).toEqual([4, 7]);
    const id = comments.find(({ body }) => body.includes("suggestion"))?.id;
    const applied = await on(mara, ["pr", "thread", "apply", `${id}`, "--pr", number]);
    expect(applied.code, applied.stderr).toBe(0);
    expect((await on(mara, ["file", "view", "tides.txt", "--ref", "tides"])).stdout).toBe("1\n2\nIII\nIV\n5\n6\n7\n");
    const again = await on(mara, ["pr", "thread", "apply", `${id}`, "--pr", number]);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining("already applied")]);
  });

  it("are shown, and have suggestions that are applied, where the lines are now, also in a file that repeats itself", async () => {
    const section = (n: number) => `[${n}]\n x\n y\n z\n  a: 1\n`;
    const sections = (from: number, to: number) =>
      Array.from({ length: to - from + 1 }, (_, index) => section(from + index)).join("");
    const save = async (text: string, ...flags: string[]) => {
      writeFileSync(join(cwd, "in.txt"), text);
      const ran = await on(mara, ["file", "put", "sc.txt", "in.txt", "-m", "Sections", ...flags]);
      expect(ran.code, ran.stderr).toBe(0);
    };
    await save(sections(1, 6), "--new-branch", "sections");
    const made = await on(mara, ["pr", "create", "-H", "sections", "-B", "main", "-t", "S", "-b", "", "--json"]);
    const n = `${(made.json() as { readonly number: number }).number}`;
    const text = "sc.txt:15=```suggestion\n  a: 3\n```";
    const said = await on(jonas, ["pr", "review", "add", n, "--comment", "--file", text]);
    expect(said.code, said.stderr).toBe(0);
    // Servers look at a push after they have answered it.
    const places = async () => (await on(mara, ["pr", "thread", "list", n])).stdout.split("\t")[1];
    const shown = async () => (await on(mara, ["pr", "diff", n, "--comments"])).stdout;
    await save(sections(0, 6).replace("[3]\n x\n y\n z\n  a: 1", "[3]\n x\n y\n z\n  a: 2"), "--branch", "sections");
    await expect.poll(places).toBe("sc.txt:15 (outdated)");
    await expect.poll(shown).toMatch(/have changed:\n│ sc\.txt:15 \(outdated\) jonas.* \(comment/);
    await save(sections(0, 6), "--branch", "sections");
    await expect.poll(places).toBe("sc.txt:20");
    await expect.poll(shown).toMatch(/^\+\[3\]\n\+ x\n\+ y\n\+ z\n\+ {2}a: 1\n│ jonas.* \(comment/m);
    const [comment] = (await on(mara, ["pr", "thread", "list", n, "--json", "id"])).json() as { id: number }[];
    const applied = await on(mara, ["pr", "thread", "apply", `${comment?.id}`, "--pr", n]);
    expect(applied.code, applied.stderr).toBe(0);
    const now = (await on(mara, ["file", "view", "sc.txt", "--ref", "sections"])).stdout;
    expect(now).toBe(`${sections(0, 2)}${section(3).replace("a: 1", "a: 3")}${sections(4, 6)}`);
  });

  it("are asked for again after they were given, which is no request that was there already", async () => {
    const given = await on(jonas, ["pr", "review", number, "--approve", "--body", "Fine"]);
    expect(given.code, given.stderr).toBe(0);
    // The journal knows what was so already.
    const world = { env: { XDG_STATE_HOME: emptyFolder() } };
    const ask = () => on(mara, ["pr", "edit", number, "--add-reviewer", jonas.login], world);
    const first = await ask();
    expect([first.code, first.stderr]).toEqual([0, expect.stringMatching(/✓ Edited .*\(reviewers\)/)]);
    const all = (await on(mara, ["pr", "reviews", number, "--json", "state"])).json() as { state: string }[];
    expect(all.filter(({ state }) => state === "REQUEST_REVIEW")).toHaveLength(1);
    const second = await ask();
    expect([second.code, second.stderr]).toEqual([0, expect.stringContaining("already up to date")]);
  });

  it("are refused with a comment outside of the diff, and join one's pending review", async () => {
    const line = ["pr", "review", number, "--file", "tides.txt:99=Hm", "-c"];
    const refused = await on(jonas, line);
    expect([refused.code, refused.stderr]).toEqual([
      13,
      expect.stringMatching(/The diff has lines 1-\d+ of tides\.txt/),
    ]);
    const pending = async (body: string) =>
      (await on(jonas, ["pr", "review", number, "--pending", "-b", body, "--json", "id"])).json() as { id: number };
    const first = await pending("One");
    expect(await pending("Two")).toEqual(first);
    const sent = await on(jonas, ["pr", "review", number, "--approve", "--json", "id,state"]);
    expect(sent.json()).toEqual({ ...first, state: "APPROVED" });
  });

  it("are taken as the API has them, from a program", async () => {
    const review = {
      event: "COMMENT",
      body: "By a program",
      comments: [{ path: "tides.txt", body: "Here", new_position: 7 }],
    };
    const ran = await on(jonas, ["pr", "review", number, "--review-file", "-", "--json", "body,state"], {
      stdin: JSON.stringify(review),
    });
    expect([ran.code, ran.json()]).toEqual([0, { body: "By a program", state: "COMMENT" }]);
  });
});
