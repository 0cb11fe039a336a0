import { chmodSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { delimiter, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { droppingProxy } from "../support/dropping-proxy.ts";
import { emptyFolder } from "../support/tongs.ts";
import { type Checkout, cloneOf } from "./checkout.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let jonas: Person;
let repo: string;
let clone: Checkout;

beforeAll(async () => {
  mara = await target.person("mara");
  jonas = await target.person("jonas");
  repo = `${mara.login}/lamps`;
  await target.ask("POST", "/user/repos", { name: "lamps", auto_init: true, default_branch: "main" }, mara);
  clone = await cloneOf(target, jonas, repo);
});

const json = async (line: readonly string[]) => {
  const ran = await clone.tongs(line);
  expect(ran.code, ran.stderr).toBe(0);
  return ran.json() as Record<string, unknown>;
};
/** The refs of the server. */
const refs = async () => (await clone.git("ls-remote", "origin")).split("\n").map((line) => line.split("\t")[1]);

// The sandbox takes no pushes to refs/for.
describe.skipIf(process.env["TONGS_CONTRACT_URL"] === undefined)(
  "a pull request without a branch and without write access",
  () => {
    it("is created, found by the current branch, listed, and not created twice", async () => {
      await clone.git("switch", "-q", "-c", "lamp");
      const sha = await clone.commit("Add the lamp", { "lamp.txt": "one\n" });
      const line = ["pr", "create", "--agit", "--title", "Fix the lamp", "--body", "Since nine.\n\nIt is dark."];
      const dry = await clone.tongs([...line, "--dry-run"]);
      expect(dry.stdout).toBe(
        "git push -o topic=lamp -o title=Fix the lamp --end-of-options origin refs/heads/lamp:refs/for/main\n",
      );
      expect((await refs()).filter((ref) => ref?.startsWith("refs/pull/"))).toEqual([]);

      const made = await clone.tongs(line);
      expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/\/lamps\/pulls\/1\n$/)]);
      expect(made.stderr).toContain(`Created pull request ${repo}#1 (topic lamp into main)`);
      expect(await refs()).toEqual(["HEAD", "refs/heads/main", "refs/pull/1/head"]);
      expect(await clone.git("config", "branch.lamp.tongs-topic")).toBe("lamp");

      const seen = await json([
        "pr",
        "view",
        "--json",
        "number,title,body,state,user.login,base.ref,head.sha,head.ref",
      ]);
      expect(seen).toMatchObject({
        number: 1,
        title: "Fix the lamp",
        body: "Since nine.\n\nIt is dark.",
        state: "open",
        user: { login: jonas.login },
        base: { ref: "main" },
        head: { sha, ref: "refs/pull/1/head" },
      });
      expect((await clone.tongs(["pr", "list"])).stdout).toMatch(/^1\tFix the lamp\t\S+ \(AGit\)\topen\t/);
      const why = await clone.tongs(["pr", "why", "1"]);
      expect(why.stdout).not.toContain("deleted");

      const again = await clone.tongs(line);
      expect(again).toMatchObject({ code: 9, stderr: expect.stringContaining(`already exists: ${repo}#1`) });
      expect(again.stderr).toContain("tongs pr push");
    });

    it("is updated by pr push, which replaces commits only when told to", async () => {
      const same = await clone.tongs(["pr", "push"]);
      expect(same).toMatchObject({ code: 0, stderr: expect.stringContaining("already has") });
      const second = await clone.commit("Light it", { "oil.txt": "two\n" });
      expect(await json(["pr", "push", "--json"])).toMatchObject({ number: 1, head: { sha: second } });

      await clone.git("commit", "-q", "--amend", "-m", "Light it with oil");
      const asked = await clone.tongs(["pr", "push"]);
      expect(asked).toMatchObject({ code: 2, stderr: expect.stringContaining("--yes is required to replace") });
      const dry = await clone.tongs(["pr", "push", "--dry-run"]);
      expect(dry.stdout).toContain("-o force-push=true");
      expect((await json(["pr", "view", "1", "--json", "head.sha"])) as object).toEqual({ head: { sha: second } });
      const forced = await clone.git("rev-parse", "HEAD");
      const declined = await clone.tongs(["pr", "push"], { terminal: true, answers: [false] });
      const question = expect.stringMatching(
        /^Replace [0-9a-f]{10} of pull request \S+#1, which \S+ does not contain\?$/,
      );
      expect(declined).toMatchObject({ code: 3, asked: [question] });
      expect((await json(["pr", "push", "--yes", "--json", "head.sha"])) as object).toEqual({ head: { sha: forced } });

      const plain = await clone.git("push", "-o", "topic=lamp", "origin", "HEAD~1:refs/for/main").catch(String);
      expect(plain).toContain("force-push");
    });

    it("is checked out and merged by the owner, and its topic is free again", async () => {
      const own = await cloneOf(target, mara, repo);
      const checked = await own.tongs(["pr", "checkout", "1"]);
      expect(checked.code, checked.stderr).toBe(0);
      expect(await own.git("rev-parse", "HEAD")).toBe(await clone.git("rev-parse", "HEAD"));
      await expect
        .poll(() => own.tongs(["pr", "merge", "1", "--style", "merge", "-d"]).then(({ code }) => code))
        .toBe(0);
      expect(await json(["pr", "view", "1", "--json", "merged,state"])).toEqual({ merged: true, state: "closed" });
      const closed = await clone.tongs(["pr", "push"]);
      expect(closed).toMatchObject({ code: 9, stderr: expect.stringContaining("No open pull request of topic lamp") });
      await clone.git("fetch", "-q");
      await clone.commit("More oil", { "oil.txt": "three\n" });
      const next = await json(["pr", "create", "--agit", "--fill", "--json", "number,title"]);
      expect(next).toEqual({ number: 2, title: "More oil" });
      const note = await clone.tongs(["pr", "close", "2", "-d"]);
      expect(note).toMatchObject({ code: 0, stderr: expect.stringContaining("It has no branch to delete") });
    });

    it("has one topic for each", async () => {
      await clone.git("switch", "-q", "-c", "wick", "origin/main");
      await clone.commit("Cut the wick", { "wick.txt": "short\n" });
      const first = await json("pr create --agit --topic wick/a --fill --draft --json number,title".split(" "));
      expect(first).toEqual({ number: 3, title: "WIP: Cut the wick" });
      const second = await json(["pr", "create", "--agit", "--topic", "wick/b", "--fill", "--json", "number,title"]);
      expect(second).toEqual({ number: 4, title: "Cut the wick" });
      expect(await clone.git("config", "branch.wick.tongs-topic")).toBe("wick/b");
      const absent = await clone.tongs(["pr", "create", "--agit", "--base", "absent", "--title", "x", "--body", ""]);
      expect(absent.code).not.toBe(0);
      expect((await json(["pr", "list", "--json", "number"])) as unknown).toEqual([{ number: 4 }, { number: 3 }]);
    });

    it("is told from a branch that was deleted", async () => {
      const own = await cloneOf(target, mara, repo);
      await own.git("switch", "-q", "-c", "dock");
      await own.commit("Dock", { "dock.txt": "x" });
      const made = await own.tongs(["pr", "create", "--fill", "--push", "--json", "number"]);
      const { number } = made.json() as { readonly number: number };
      const other = await own.tongs(["pr", "push"]);
      expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("use git push") });
      expect((await own.tongs(["pr", "close", `${number}`, "-d"])).code).toBe(0);
      const list = await own.tongs([
        "pr",
        "list",
        "--state",
        "closed",
        "--jq",
        '.[] | select(.title == "Dock") | .head.label',
      ]);
      expect(list.stdout).toBe("dock\n");
      expect((await own.tongs(["pr", "list", "--state", "closed"])).stdout).toContain("\tdock\t");
    });

    it("has a body that is too large for an option of git", async () => {
      await clone.git("switch", "-q", "-c", "long", "origin/main");
      await clone.commit("Say much", { "long.txt": "x\n" });
      const body = "words ".repeat(40_000).trim();
      const line = ["pr", "create", "--agit", "--title", "Much", "--body-file", "-", "--json", "body"];
      const made = await clone.tongs(line, { stdin: body });
      expect([made.code, made.json()], made.stderr).toEqual([0, { body }]);
    });

    it("is updated from another clone of its author, and by nobody else", async () => {
      const own = await cloneOf(target, mara, repo);
      await own.tongs(["pr", "checkout", "3"]);
      expect((await own.tongs(["pr", "view", "--json", "number"])).json()).toEqual({ number: 3 });
      expect(await own.tongs(["pr", "push"])).toMatchObject({
        code: 4,
        stderr: expect.stringContaining(`Pull request ${repo}#3 is ${jonas.login}'s: only its author can push to it`),
      });

      const second = await cloneOf(target, jonas, repo);
      const checked = await second.tongs(["pr", "checkout", "3"]);
      const saysTopic = !checked.stderr.includes("tongs pr push --topic TOPIC");
      const sha = await second.commit("Cut it again", { "wick.txt": "shorter\n" });
      const plain = await second.tongs(["pr", "push", "--json", "number,head.sha"]);
      if (!saysTopic) {
        expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining("does not say the topic") });
        const other = await second.tongs(["pr", "push", "--topic", "nothing"]);
        expect(other).toMatchObject({ code: 9, stderr: expect.stringContaining("of topic nothing into main") });
      }
      const pushed = saysTopic
        ? plain
        : await second.tongs(["pr", "push", "--topic", "wick/a", "--json", "number,head.sha"]);
      expect(pushed.json(), pushed.stderr).toEqual({ number: 3, head: { sha } });
      const again = await second.tongs(["pr", "push"]);
      expect(again).toMatchObject({ code: 0, stderr: expect.stringContaining("already has") });
    });

    it("is created although git lost the answer, and not twice", async () => {
      const folder = emptyFolder();
      const script = `#!/bin/sh\nPATH=$REAL_PATH\ngit "$@"\ncase " $* " in *" push "*) exit 128;; esac\n`;
      writeFileSync(join(folder, "git"), script);
      chmodSync(join(folder, "git"), 0o755);
      const { PATH = "" } = process.env;
      const env = { PATH: `${folder}${delimiter}${PATH}`, REAL_PATH: PATH };
      await clone.git("switch", "-q", "-c", "snuff", "origin/main");
      await clone.commit("Snuff it", { "snuff.txt": "x\n" });
      const made = await clone.tongs(["pr", "create", "--agit", "--fill", "--json", "number,title"], { env });
      expect([made.code, made.json()], made.stderr).toMatchObject([0, { title: "Snuff it" }]);
      expect(made.stderr).toContain("git did not get the server's answer");

      const second = await cloneOf(target, jonas, repo);
      await second.git("switch", "-q", "-c", "snuff");
      const sha = await second.commit("Snuff more", { "snuff.txt": "y\n" });
      const refused = await second.tongs(["pr", "create", "--agit", "--fill"]);
      expect(refused).toMatchObject({
        code: 9,
        stderr: expect.stringContaining("tongs pr push --topic snuff --base main"),
      });
      const line = ["pr", "push", "--topic", "snuff", "--base", "main", "--yes", "--json", "head.sha"];
      expect((await second.tongs(line)).json()).toEqual({ head: { sha } });
      expect((await second.tongs(["pr", "view", "snuff", "--json", "head.sha"])).json()).toEqual({ head: { sha } });
    });

    it("is uncertain, exit code 6, where the answer to a push is lost and the server does not show it", async () => {
      let isSwallowed = true;
      const isPush = ({ method, url = "" }: IncomingMessage) => method === "POST" && url.includes("git-receive-pack");
      const proxy = await droppingProxy(target.url, {
        drops: isPush,
        swallows: (request) => isSwallowed && isPush(request),
      });
      const env = { TONGS_HOST: proxy.url };
      await clone.git("remote", "set-url", "origin", `${proxy.url}/${repo}.git`);
      try {
        await clone.git("switch", "-q", "-c", "ember", "main");
        await clone.commit("Keep it glowing", { "ember.txt": "x\n" });
        const line = ["pr", "create", "--agit", "--fill"];
        const lost = await clone.tongs(line, { env });
        expect(lost).toMatchObject({ code: 6, stderr: expect.stringContaining("The push may have taken effect") });
        isSwallowed = false;
        const made = await clone.tongs(line, { env });
        expect(made, made.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining("has the push") });
        isSwallowed = true;
        await clone.commit("Let it glow", { "ember.txt": "y\n" });
        expect((await clone.tongs(["pr", "push"], { env })).code).toBe(6);
        isSwallowed = false;
        expect((await clone.tongs(["pr", "push"], { env })).code).toBe(0);
      } finally {
        await clone.git("remote", "set-url", "origin", `${target.url}/${repo}.git`);
      }
    });
  },
);
