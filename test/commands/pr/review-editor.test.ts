import { readFileSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { diffLines } from "../../../src/commands/pr/diff-lines.ts";
import { apiComment, readReview, reviewForm } from "../../../src/commands/pr/review/text.ts";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { droppingProxy } from "../../support/dropping-proxy.ts";
import { emptyFolder, type World } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";
import { end, listed, pull } from "./pulls.ts";
import { scripted } from "./scripted.ts";

const numbers = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `line ${from + at}\n`);

interface Comment {
  readonly id: number;
  readonly body: string;
  readonly position: number;
  readonly original_position: number;
  readonly extra_lines_count?: number;
  readonly path: string;
}

/** A sandbox with pull request `number` of jonas, which changes tides.txt: line 5 to five, and two more after line 10. */
async function withPull(as: string) {
  const sandbox = await onSandbox({ release: parseRelease(as) });
  const cwd = emptyFolder();
  const run = (line: readonly string[], world: World & { as?: string } = {}) =>
    sandbox.run(line, { as: "mara", cwd, ...world, env: { TONGS_REPO: "mara/harbor", ...world.env } });
  const put = (name: string, lines: readonly string[], ...flags: string[]) => {
    writeFileSync(join(cwd, "in.txt"), lines.join(""));
    return run(["file", "put", name, "in.txt", "-m", name, ...flags]);
  };
  await put("tides.txt", numbers(1, 14));
  await put(
    "tides.txt",
    [...numbers(1, 4), "five\n", ...numbers(6, 10), "a\n", "b\n", ...numbers(11, 14)],
    "--new-branch",
    "tides",
  );
  const made = await run(["pr", "create", "-H", "tides", "-B", "main", "-t", "Tides", "-b", "New", "--json", "number"]);
  const { number } = made.json() as { readonly number: number };
  const comments = async () =>
    (await run(["pr", "thread", "list", `${number}`, "--json"], { as: "jonas" })).json() as Comment[];
  /** An editor that writes texts below the lines that end so; ^ is the top. */
  const editor = (typed: Readonly<Record<string, string>>, after = "") => {
    const script = join(emptyFolder(), "edit.cjs");
    const code = `const fs=require("fs"),f=process.argv[2],t=${JSON.stringify(typed)};
      fs.writeFileSync(f,(t["^"]??"")+fs.readFileSync(f,"utf8").split("\\n").map((l)=>l+Object.entries(t).filter(([e])=>e!=="^"&&l.endsWith(e)).map(([,c])=>"\\n"+c).join("")).join("\\n"));${after}`;
    writeFileSync(script, code);
    return { terminal: true, as: "jonas", env: { EDITOR: `${process.execPath} ${script}` } };
  };
  return { sandbox, run, put, number, n: `${number}`, comments, editor, cwd };
}

const suggestion = "```suggestion\nV\n```";

describe.each(["gitea", "forgejo@16"])("a review in the editor, on %s", (as) => {
  let on: Awaited<ReturnType<typeof withPull>>;
  let server: OnSandbox;
  beforeAll(async () => {
    on = await withPull(as);
    server = on.sandbox;
  });
  afterAll(() => server.close());

  it("has its text above the diff, and comments below the lines", async () => {
    const { run, editor, n, comments } = on;
    const typed = {
      "^": "Nearly there.\n\nOne more paragraph.\n",
      "> +five": suggestion,
      "> -line 5": "Gone?",
      "> +b": "^3 These three.\n> quoted",
    };
    const ran = await run(["pr", "review", n, "--editor", "--request-changes", "--json"], {
      ...editor(typed),
      terminal: false,
    });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("--editor requires a terminal")]);
    const sent = await run(["pr", "review", n, "--editor", "--comment"], editor(typed));
    expect([sent.code, sent.stderr]).toEqual([0, expect.stringContaining("Commented on pull request")]);
    const reviews = (await run(["pr", "reviews", n, "--json", "body,state,comments_count"])).json();
    expect(reviews).toEqual([{ body: "Nearly there.\n\nOne more paragraph.", state: "COMMENT", comments_count: 3 }]);
    const found = (await comments()).map(
      ({ path, position, original_position: old, extra_lines_count: extra = 0, body }) => [
        path,
        position,
        old,
        extra,
        body,
      ],
    );
    const three = "These three.\n> quoted";
    const range =
      as === "gitea"
        ? ["tides.txt", 12, 0, 0, `Lines 10-12:\n\n>     line 10\n>     a\n>     b\n\n${three}`]
        : ["tides.txt", 10, 0, 2, three];
    expect(found).toEqual(
      expect.arrayContaining([["tides.txt", 5, 0, 0, suggestion], ["tides.txt", 0, 5, 0, "Gone?"], range]),
    );
  });

  it("is kept if it cannot be read or sent, and --recover takes it", async () => {
    const { run, editor, n } = on;
    const bad = await run(["pr", "review", n, "-e", "-c"], editor({ "> diff --git a/tides.txt b/tides.txt": "lost" }));
    expect([bad.code, bad.stderr]).toEqual([
      2,
      expect.stringContaining("The comment 'lost' is not below a line of a file"),
    ]);
    const [, file = ""] = /To use it, pass --recover (\S+)/.exec(bad.stderr) ?? [];
    writeFileSync(
      file,
      readFileSync(file, "utf8")
        .replace(/^lost\n/m, "")
        .replace(/^> \+five$/m, "$&\nFound"),
    );
    const sent = await run(["pr", "review", n, "--recover", file, "-c", "--json", "state"], { as: "jonas" });
    expect([sent.code, sent.json()]).toEqual([0, { state: "COMMENT" }]);
    const own = await run(["pr", "review", n, "-e", "-a"], { ...editor({ "^": "Good\n" }), as: "mara" });
    expect([own.code, own.stderr]).toEqual([13, expect.stringMatching(/--recover \S+/)]);
    const nothing = await run(["pr", "review", n, "-e", "-c"], editor({}));
    expect([nothing.code, nothing.stderr]).toEqual([3, expect.not.stringContaining("saved")]);
  });

  it("is found where the answer is lost, and else kept, with the command to look with", async () => {
    const { run, editor, n, sandbox } = on;
    const isReview = ({ method, url = "" }: IncomingMessage) => method === "POST" && url.endsWith("/reviews");
    const through = async (flags: readonly string[], fault: "drops" | "swallows", text: string, by?: number) => {
      const faulty = (request: IncomingMessage) => isReview(request) && (by ?? true);
      const proxy = await droppingProxy(sandbox.url, { drops: () => false, [fault]: faulty });
      const { env, ...world } = editor({ "^": `${text}\n` });
      const ran = await run(["pr", "review", n, "-e", ...flags], { ...world, env: { ...env, TONGS_HOST: proxy.url } });
      return { ...ran, stderr: ran.stderr.replace(/\s+/g, " ") };
    };
    const reviews = async () =>
      ((await run(["pr", "reviews", n, "--json", "id"], { as: "jonas" })).json() as unknown[]).length;
    const count = await reviews();
    for (const [flags, more, by] of [
      [["-c"], 1, undefined],
      [["-c"], 2, 502],
      [["--pending"], 3, 504],
      [["-r"], 3, undefined],
    ] as const) {
      const ran = await through(flags, "drops", `Text ${flags[0]} ${more}`, by);
      expect(ran, ran.stderr).toMatchObject({ code: 0 });
      expect(ran.stderr).not.toMatch(/--recover|may have taken effect/);
      expect(await reviews()).toBe(count + more);
    }
    const gone = await through(["-c"], "swallows", "Same text");
    expect(gone.code).toBe(6);
    expect(gone.stderr).toContain(`Look before you run the command again: tongs pr reviews ${n} -R mara/harbor Your`);
    expect(await reviews()).toBe(count + 3);
  });

  it("is kept when Ctrl-C or a crash ends the editor, but not when the editor says no", async () => {
    const { run, editor, n } = on;
    const ended = async (after: string) =>
      (await run(["pr", "review", n, "-e", "-c"], editor({ "^": "Typed\n" }, after))).stderr;
    for (const after of [
      "process.kill(process.pid,'SIGINT');setTimeout(()=>{},9e9)",
      "process.exit(130)",
      "process.abort()",
    ]) {
      const [, file = ""] = /Your text was saved. To use it, pass --recover (\S+)/.exec(await ended(after)) ?? [];
      expect(readFileSync(file, "utf8")).toMatch(/^Typed\n/);
    }
    expect(await ended("process.exit(1)")).not.toContain("saved");
    expect((await run(["issue", "create", "-e"], editor({ "^": "Typed\n" }, "process.exit(130)"))).stderr).toMatch(
      /pass --recover \S+/,
    );
  });

  it("can stay pending, is continued and submitted", async () => {
    const { run, editor, n } = on;
    const saved = await run(["pr", "review", n, "--pending", "-b", "Later", "--file", "tides.txt:5=Hm", "--json"], {
      as: "jonas",
    });
    const { id, state } = saved.json() as { readonly id: number; readonly state: string };
    expect(state).toBe("PENDING");
    const going = await run(["pr", "review", n, "-e", "--pending"], editor({ "^": "More\n", "> +a": "And this" }));
    expect(going.stderr).toContain("Your pending review of mara/harbor");
    const third = await run(["pr", "review", n, "--pending", "-b", "And more", "--json"], { as: "jonas" });
    expect(third.json()).toMatchObject({ body: expect.stringMatching(/^Later\n\n(?:.|\n)*And more$/) });
    const drops = ({ method, url = "" }: IncomingMessage) => method === "POST" && url.endsWith(`/reviews/${id}`);
    const proxy = await droppingProxy(on.sandbox.url, { drops });
    const env = { TONGS_HOST: proxy.url };
    const sent = await run(["pr", "review", "submit", `${id}`, "--pr", n, "-r"], { as: "jonas", env });
    expect([sent.code, sent.stderr]).toEqual([0, expect.stringContaining("Requested changes on pull request")]);
    expect(sent.stderr).not.toMatch(/may have taken effect|was lost/);
    const again = await run(["pr", "review", "submit", `${id}`, "--pr", n, "-c", "-b", "x"], { as: "jonas" });
    expect(again.code).toBe(13);
  });

  it("joins the pending one, of which there is one only", async () => {
    const { run, n } = on;
    const pending = async (...words: string[]) =>
      (await run(["pr", "review", n, ...words, "--json"], { as: "jonas" })).json() as { id: number };
    const first = await pending("--pending", "-b", "Later", "--file", "tides.txt:5=Hm");
    const file = JSON.stringify({ body: "Then", comments: [{ path: "tides.txt", body: "x", old_position: 5 }] });
    const ran = await run(["pr", "review", n, "--review-file", "-", "--json"], { stdin: file, as: "jonas" });
    expect(ran.json()).toMatchObject({ id: first.id, state: "PENDING", body: "Then", comments_count: 2 });
    expect(ran.stderr).toContain("This joined 1 comment of your pending review.");
    expect(ran.stderr).toMatch(/This replaces the text of your pending review of mara\/harbor#\d+:\s+Later\n/);
    const last = await run(["pr", "review", n, "-c", "-b", "Now", "--json"], { as: "jonas" });
    expect(last.json()).toMatchObject({ id: first.id, state: "COMMENT", comments_count: 2 });
    expect(last.stderr).toContain("This also submitted 2 comments of your pending review");
  });

  it("keeps the text of the pending one that it submits, unless it has another", async () => {
    const { run, n } = on;
    const pending = ["pr", "review", n, "--pending", "-b", "Precious", "--file", "tides.txt:5=Hm"];
    await run(pending, { as: "jonas" });
    const kept = await run(["pr", "review", n, "--approve", "--json"], { as: "jonas" });
    expect(kept.json()).toMatchObject({ state: "APPROVED", body: "Precious", comments_count: 1 });
    expect(kept.stderr).toContain("This also submitted 1 comment and the text of your pending review.");
    await run(pending, { as: "jonas" });
    const other = await run(["pr", "review", n, "--approve", "-b", "Fine", "--json"], { as: "jonas" });
    expect(other.json()).toMatchObject({ state: "APPROVED", body: "Fine" });
    expect(other.stderr).toMatch(/This replaces the text of your pending review.*:\s+Precious/);
  });

  it("is refused with comments on lines that the diff lacks, before anything is sent; what was typed is kept", async () => {
    const { run, n, sandbox } = on;
    sandbox.writes();
    const on12 = (place: string) => ["pr", "review", n, "-c", "--file", `tides.txt:3=x`, "--file", `${place}=Hm`];
    for (const [place, hint] of [
      ["tides.txt:99", "The diff has lines 2-15 of tides.txt"],
      ["tides.txt:-1", "The diff has lines 2-13 of the old tides.txt"],
      ["tide.txt:3", "The diff has no lines of tide.txt. It has lines of tides.txt"],
      ["other/file.md:3", "The diff has no lines of other/file.md. It has lines of tides.txt"],
    ] as const) {
      const ran = await run(on12(place), { as: "jonas" });
      const said = `✗ Not in the diff of mara/harbor#${n}: ${place}\n  ${hint}\n`;
      expect([ran.code, ran.stderr]).toEqual([13, expect.stringContaining(said)]);
    }
    const comments = [
      { path: "tides.txt", body: "x", new_position: 13, extra_lines_count: 3 },
      { path: "tides.txt", body: "nowhere" },
      { path: "tides.txt", body: "x", new_position: 2, extra_lines_count: 2e9 },
    ];
    const file = await run(["pr", "review", n, "--review-file", "-", "--json"], {
      stdin: JSON.stringify({ event: "COMMENT", comments }),
      as: "jonas",
    });
    expect([file.code, JSON.parse(file.stderr)]).toMatchObject([13, { error: { code: "not_in_diff" } }]);
    expect(file.stderr).toContain("tides.txt:13 and 3 more, tides.txt:0, tides.txt:2 and 2000000000 more");
    const typed = await run(["pr", "review", n, "-r", "--file", "tides.txt:99=Hm"], {
      terminal: true,
      as: "jonas",
      env: { EDITOR: "printf 'Long thoughts' >" },
    });
    expect([typed.code, typed.stderr]).toEqual([13, expect.stringMatching(/Your text was saved.*--body-file \S+/)]);
    expect(sandbox.writes()).toEqual([]);
  });

  it("on another commit than the head is left to the server", async () => {
    const { run, n, sandbox } = on;
    const commits = (await run(["commit", "list", "main", "--limit", "1", "--json", "sha"])).json() as {
      sha: string;
    }[];
    sandbox.writes();
    const comments = [{ path: "tides.txt", body: "x", new_position: 1 }];
    const review = { event: "COMMENT", commit_id: commits[0]?.sha, comments };
    await run(["pr", "review", n, "--review-file", "-"], { stdin: JSON.stringify(review), as: "jonas" });
    expect(sandbox.writes()).toEqual([`POST /repos/mara/harbor/pulls/${n}/reviews`]);
  });

  it("is checked if it is read from a file", async () => {
    const { run, n, sandbox } = on;
    sandbox.writes();
    const unknown = await run(["pr", "review", n, "--review-file", "-"], { stdin: '{"event":"APPROVE","body":"x"}' });
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('unknown event "APPROVE": APPROVED')]);
    for (const [text, words] of [
      ["{", "not valid JSON"],
      ["[]", "the review is no object"],
      ['{"comments":[{"line":5}]}', "comment 1 has the unknown field line"],
      ['{"verdict":"x"}', "the unknown field verdict"],
      ['{"comments":[{"path":"a","body":"x","new_position":"5"}]}', "new_position of comment 1 is no number"],
      ['{"comments":[{"path":"a","body":" \\n","new_position":5}]}', "comment 1 has no body"],
      ['{"comments":[{"path":"a","new_position":5}]}', "comment 1 has no body"],
    ] as const) {
      const ran = await run(["pr", "review", n, "--review-file", "-"], { stdin: text });
      expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(words)]);
    }
    expect(sandbox.writes()).toEqual([]);
  });
});

describe.each(["gitea", "forgejo@16"])("suggestions, on %s", (as) => {
  let on: Awaited<ReturnType<typeof withPull>>;
  beforeAll(async () => {
    on = await withPull(as);
    const { run, editor, n } = on;
    const typed = {
      "> +five": "```suggestion\nV\n5\n```",
      "> +b": "^3 Better:\n\n```suggestion\nonly é\n```",
      "> -line 5": suggestion,
      "> +a": "No suggestion",
      ">  line 8": suggestion,
      ">  line 9": `${suggestion}\n${suggestion}`,
    };
    expect((await run(["pr", "review", n, "-e", "-c"], editor(typed))).code).toBe(0);
  });
  afterAll(() => on.sandbox.close());
  const at = async (body: RegExp) => `${(await on.comments()).find((one) => body.test(one.body))?.id}`;
  const text = async () => (await on.run(["file", "view", "tides.txt", "--ref", "tides"])).stdout;

  it("become one commit, with their authors", async () => {
    const { run, n } = on;
    const ids = [await at(/^```suggestion\nV\n5/), await at(/only/)];
    const dry = await run(["pr", "thread", "apply", ...ids, "--pr", n, "--dry-run"]);
    expect(dry.stdout).toContain("/api/v1/repos/mara/harbor/contents");
    on.sandbox.writes();
    const ran = await run(["pr", "thread", "apply", ...ids, "--pr", n]);
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(`Applied 2 suggestions to mara/harbor#${n}`)]);
    expect(on.sandbox.writes().filter((line) => !line.endsWith("/resolve"))).toEqual([
      "POST /repos/mara/harbor/contents",
    ]);
    expect(await text()).toBe([...numbers(1, 4), "V\n5\n", ...numbers(6, 9), "only é\n", ...numbers(11, 14)].join(""));
    const [commit] = (await run(["commit", "list", "tides", "--limit", "1", "--json", "commit.message"])).json() as {
      commit: { message: string };
    }[];
    expect(commit?.commit.message).toMatch(/^Apply suggestions from code review\n\nCo-authored-by: .+ <jonas@\S+>\s*$/);
  });

  it.each([
    [/^No suggestion/, 2, "has no suggestion"],
    [/```\n```/, 2, "has several suggestions"],
  ])("are refused for a comment like %s", async (body, code, words) => {
    const ran = await on.run(["pr", "thread", "apply", await at(body), "--pr", on.n]);
    expect([ran.code, ran.stderr]).toEqual([code, expect.stringContaining(words)]);
  });

  it("are refused for a removed line, an unknown comment, and a pull request that is closed", async () => {
    const { run, n, comments } = on;
    const removed = (await comments()).find((one) => one.original_position > 0)?.id;
    const line = await run(["pr", "thread", "apply", `${removed}`, "--pr", n]);
    expect([line.code, line.stderr]).toEqual([2, expect.stringContaining("a line that the pull request removes")]);
    expect((await run(["pr", "thread", "apply", "99999", "--pr", n])).code).toBe(5);
    await run(["pr", "close", n]);
    expect((await run(["pr", "thread", "apply", await at(/only/), "--pr", n])).code).toBe(9);
  });
});

describe("the thread of a suggestion", () => {
  const head = end("tides");
  const tides = pull(12, { head });
  const one = {
    id: 275,
    pull_request_review_id: 31,
    path: "a.txt",
    position: 2,
    diff_hunk: "@@ -1,2 +1,2 @@\n one\n+two",
    body: "```suggestion\nzwei\n```",
    user: { login: "jonas", email: "" },
  };
  const file = {
    name: "a.txt",
    path: "a.txt",
    type: "file",
    sha: "f00",
    encoding: "base64",
    content: Buffer.from("one\r\ntwo\r\n\xff\r\n", "latin1").toString("base64"),
  };
  const routes = {
    "GET //version": { body: { version: "1.26.0" } },
    "GET //user": { body: { id: 1, login: "mara" } },
    "GET /pulls/12": { body: tides },
    "GET /pulls/12/reviews": listed([{ id: 31, comments_count: 1 }]),
    "GET /pulls/12/reviews/31/comments": { body: [one] },
    "GET /contents/a.txt": { body: file },
    "POST /contents": { status: 201, body: { files: [], commit: { sha: "c0ffee" } } },
  };

  it("is resolved by servers that can, and what other lines have stays byte by byte", async () => {
    const forge = await scripted({ ...routes, "POST /pulls/comments/275/resolve": { status: 204 } });
    const ran = await forge.run(["pr", "thread", "apply", "275", "--pr", "12", "-m", "Translate"]);
    expect([ran.code, ran.stdout]).toEqual([0, "c0ffee\n"]);
    const content = Buffer.from("one\r\nzwei\r\n\xff\r\n", "latin1").toString("base64");
    const files = [{ operation: "update", path: "a.txt", sha: "f00", content }];
    expect(forge.writes()).toEqual([
      ["POST /contents", { branch: "tides", message: "Translate", files }],
      ["POST /pulls/comments/275/resolve", {}],
    ]);
  });

  it("that cannot be resolved is named after the commit, with exit 11", async () => {
    const forge = await scripted({
      ...routes,
      "POST /pulls/comments/275/resolve": { status: 403, body: { message: "no" } },
    });
    const ran = await forge.run(["pr", "thread", "apply", "275", "--pr", "12"]);
    expect([ran.code, ran.stdout, ran.stderr]).toEqual([
      11,
      "c0ffee\n",
      expect.stringContaining("tongs pr thread resolve 275"),
    ]);
  });

  it("is left when the branch got another commit, or cannot be written", async () => {
    for (const [status, message, code] of [
      [422, "sha does not match [given: f00, expected: f11]", 9],
      [403, "user should have write permission", 4],
    ] as const) {
      const forge = await scripted({ ...routes, "POST /contents": { status, body: { message } } });
      expect((await forge.run(["pr", "thread", "apply", "275", "--pr", "12"])).code).toBe(code);
      expect(forge.writes().length).toBe(1);
    }
  });

  it("of a head branch that is gone gets no commit", async () => {
    const forge = await scripted({ ...routes, "GET /pulls/12": { body: pull(12, { head: { ...head, repo: null } }) } });
    expect((await forge.run(["pr", "thread", "apply", "275", "--pr", "12"])).code).toBe(9);
    expect(forge.writes()).toEqual([]);
  });
});

describe("the form of a review", () => {
  const diff = diffLines(
    [
      "diff --git a/a b/a",
      "--- a/a",
      "+++ b/a",
      "@@ -1,3 +1,2 @@",
      " one",
      "-two",
      "+zwei",
      "--- x",
      "@@ -9 +9,2 @@",
      "-x",
      "+y",
      "+",
      "\\ No newline at end of file",
      "",
    ].join("\n"),
  );
  const form = reviewForm(diff);

  it("is read back to nothing, also when an editor changed its ends of lines", () => {
    for (const text of [form, form.replaceAll("\n", "\r\n"), form.replace(/$/gm, " ")])
      expect(readReview(text, diff)).toEqual({ body: "", comments: [] });
  });

  it("keeps the places when whole hunks are removed, and refuses missing lines", () => {
    const second = form.replace(/> @@ -1,[\s\S]*(?=> @@ -9)/, "").replace("> +y", "> +y\nHere");
    expect(readReview(second, diff).comments.map((one) => apiComment(one, false))).toEqual([
      { path: "a", body: "Here", new_position: 9 },
    ]);
    expect(() => readReview(form.replace(">  one\n", "").replace("> +zwei", "> +zwei\nx"), diff)).toThrow(
      "Lines of the diff are missing",
    );
  });

  it("takes lines of the old side for a comment on several removed ones, and refuses more than the hunk has", () => {
    const typed = readReview(form.replace("> --- x", "> --- x\n^2 Both"), diff);
    expect(typed.comments.map((one) => apiComment(one, true))).toEqual([
      { path: "a", body: "Both", old_position: 2, extra_lines_count: 1 },
    ]);
    expect(() => readReview(form.replace("> +y", "> +y\n^5 x"), diff)).toThrow("the hunk has 1 lines");
  });

  it("is not disturbed by a diff that looks like its own lines", () => {
    const odd = diffLines(
      [
        "diff --git a/b b/b",
        "--- a/b",
        "+++ b/b",
        "@@ -0,0 +1,3 @@",
        "+> quoted",
        "+@@ -1 +1 @@",
        "+diff --git a/c b/c",
        "",
      ].join("\n"),
    );
    const text = reviewForm(odd).replace("> +@@ -1 +1 @@", "> +@@ -1 +1 @@\nHm");
    expect(readReview(text, odd).comments.map((one) => apiComment(one, true))).toEqual([
      { path: "b", body: "Hm", new_position: 2 },
    ]);
  });
});
