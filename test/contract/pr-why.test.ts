import { beforeAll, describe, expect, it } from "vitest";
import type { Ran } from "../support/tongs.ts";
import { openTarget, type Person } from "./support.ts";

const target = await openTarget();
let mara: Person;
let jonas: Person;
let priya: Person;
let repo: string;

beforeAll(async () => {
  [mara, jonas, priya] = [await target.person("mara"), await target.person("jonas"), await target.person("priya")];
  repo = `${mara.login}/harbor`;
  const create = { name: "harbor", auto_init: true, default_branch: "main" };
  await target.ask("POST", "/user/repos", create, mara);
  await ask("PUT", `/collaborators/${jonas.login}`, { permission: "write" });
});

const ask = (method: string, path: string, body?: unknown, as = mara) =>
  target.ask(method, `/repos/${repo}${path}`, body, as);

/** The parts of a reason that every one has. */
interface Reason {
  readonly code: string;
  readonly files: readonly string[];
  readonly users: readonly string[];
  readonly checks: readonly { readonly context: string }[];
}

interface Explained {
  readonly exit: number;
  readonly codes: readonly string[];
  readonly reasons: readonly Reason[];
  readonly unchecked: readonly string[];
}

/** What `pr why` says as somebody. */
async function why(number: number, as = mara): Promise<Explained> {
  const ran: Ran = await as.tongs(["pr", "why", `${number}`, "--json"], { env: { TONGS_REPO: repo } });
  expect(ran.stderr).not.toContain("error");
  const { reasons, unchecked } = ran.json() as { reasons: Reason[]; unchecked: string[] };
  return { exit: ran.code, codes: reasons.map(({ code }) => code), reasons, unchecked };
}

/** Writes one file to a branch, which is created from main if it is new. */
async function write(branch: string, file: string, content: string, isNew = false): Promise<void> {
  const where = isNew ? { branch: "main", new_branch: branch } : { branch };
  const known = (await ask("GET", `/contents?ref=${isNew ? "main" : branch}`)) as { path: string; sha: string }[];
  const sha = known.find(({ path }) => path === file)?.sha;
  const change = { operation: sha === undefined ? "create" : "update", path: file, sha };
  const files = [{ ...change, content: Buffer.from(content).toString("base64") }];
  await ask("POST", "/contents", { message: `Write ${file}`, ...where, files });
}

/** Opens a pull request with one new file. */
async function opened(name: string, file = `${name}.txt`, base = "main"): Promise<number> {
  await write(name, file, name, true);
  const pull = await ask("POST", "/pulls", { head: name, base, title: name });
  return (pull as { number: number }).number;
}

/** Sets the only protection of main. */
async function protect(rule: Readonly<Record<string, unknown>> | undefined): Promise<void> {
  const rules = (await ask("GET", "/branch_protections")) as unknown[];
  if (rules.length > 0) await ask("DELETE", "/branch_protections/main");
  if (rule !== undefined) await ask("POST", "/branch_protections", { rule_name: "main", enable_push: true, ...rule });
}

async function report(number: number, context: string, state: string): Promise<void> {
  const { head } = (await ask("GET", `/pulls/${number}`)) as { head: { sha: string } };
  await ask("POST", `/statuses/${head.sha}`, { context, state, target_url: "https://ci.example.org/1" });
}

const review = (number: number, event: string, as: Person) =>
  ask("POST", `/pulls/${number}/reviews`, { event, body: "Looked at it" }, as);

/** How long to wait for a server to work something out, in milliseconds. */
const pause = () => new Promise((resolve) => setTimeout(resolve, target.kind === "sandbox" ? 50 : 500));

/**
 * The message of the refusal when it is merged by the API, or undefined if it would be merged. A server that works
 * something out says "try again", which it repeats for ever if there is a conflict: then, it is asked `most` times.
 */
async function refusal(number: number, as = mara, most = Number.POSITIVE_INFINITY): Promise<string | undefined> {
  for (let turn = 0; turn < most; turn += 1) {
    // A hash that is not the head: everything is checked, and nothing is merged.
    const body = { Do: "merge", head_commit_id: "0".repeat(40) };
    const error = await ask("POST", `/pulls/${number}/merge`, body, as).then(
      () => new Error("merged"),
      (problem: unknown) => problem as Error,
    );
    if (/head out of date/.test(error.message)) return undefined;
    if (!/try again/i.test(error.message)) return error.message;
    await pause();
  }
  return "try again";
}

describe("pr why names each reason, and nothing else", () => {
  it("says that a pull request can be merged", async () => {
    const number = await opened("clear");
    expect(await why(number)).toEqual({ exit: 0, codes: [], reasons: [], unchecked: [] });
    expect(await refusal(number)).toBeUndefined();
  });

  it("a draft, one that is closed, and one without access", async () => {
    const number = await opened("states");
    await ask("PATCH", `/pulls/${number}`, { title: "WIP: states" });
    expect(await why(number)).toMatchObject({ exit: 1, codes: ["draft"] });
    await ask("PATCH", `/pulls/${number}`, { title: "states" });
    expect(await why(number, priya)).toMatchObject({ exit: 1, codes: ["no_permission"] });
    expect(await refusal(number, priya)).toContain("not allowed to merge");
    await ask("PATCH", `/pulls/${number}`, { state: "closed" });
    expect(await why(number)).toMatchObject({ exit: 1, codes: ["closed"] });
  });

  it("a conflict with its files, and a draft that conflicts", async () => {
    await write("main", "tides.txt", "low\n");
    const number = await opened("tides");
    await write("tides", "tides.txt", "higher\n");
    await write("main", "tides.txt", "lower\n");
    let said = await why(number);
    // A server looks for conflicts some time after the push; until then it says what was so before.
    for (let tries = 0; said.codes.length === 0 && tries < 40; tries += 1) {
      await pause();
      said = await why(number);
    }
    const { exit, codes, reasons } = said;
    expect({ exit, codes, files: reasons[0]?.files }).toEqual({ exit: 1, codes: ["conflict"], files: ["tides.txt"] });
    expect(await refusal(number, mara, 30)).toContain("try again");
  });

  it("a head that the base already contains", async () => {
    await ask("POST", "/branches", { new_branch_name: "empty", old_branch_name: "main" });
    const created = await ask("POST", "/pulls", { head: "empty", base: "main", title: "empty" }).catch(() => undefined);
    // Where the server refuses an empty pull request, there is nothing to explain.
    if (created === undefined) return expect(target.kind).toBe("server");
    expect(await why((created as { number: number }).number)).toMatchObject({ exit: 1, codes: ["nothing_to_merge"] });
  });

  it("approvals that are missing with who can give them, rejections and requests", async () => {
    const number = await opened("reviewed");
    await protect({ required_approvals: 1, block_on_rejected_reviews: true, block_on_official_review_requests: true });
    const missing = await why(number);
    expect(missing).toMatchObject({ exit: 1, codes: ["missing_approvals"], reasons: [{ users: [jonas.login] }] });
    await review(number, "APPROVED", priya);
    expect((await why(number)).codes).toEqual(["missing_approvals"]);
    expect(await refusal(number)).toContain("enough approvals");
    await review(number, "APPROVED", jonas);
    expect(await why(number)).toMatchObject({ exit: 0, codes: [] });
    expect(await refusal(number)).toBeUndefined();
    await review(number, "REQUEST_CHANGES", jonas);
    const rejected = await why(number);
    expect(rejected.codes).toEqual(["missing_approvals", "changes_requested"]);
    expect(rejected.reasons[1]?.users).toEqual([jonas.login]);
    await ask("POST", `/pulls/${number}/requested_reviewers`, { reviewers: [jonas.login] });
    expect((await why(number)).codes).toEqual(["missing_approvals", "review_requested"]);
    await review(number, "APPROVED", jonas);
    expect((await why(number)).codes).toEqual([]);
    await protect({
      required_approvals: 2,
      enable_approvals_whitelist: true,
      approvals_whitelist_username: [mara.login],
    });
    const allowlist = await why(number);
    expect(allowlist.codes).toEqual(["missing_approvals"]);
  });

  it("stale approvals where they do not count", async () => {
    const number = await opened("stale");
    await protect({ required_approvals: 1, ignore_stale_approvals: true });
    await review(number, "APPROVED", jonas);
    expect((await why(number)).codes).toEqual([]);
    await write("stale", "stale-2.txt", "more");
    await settled(async () => (await why(number)).codes.length > 0);
    expect((await why(number)).codes).toEqual(["missing_approvals"]);
    expect(await refusal(number)).toContain("enough approvals");
  });

  it("required checks: missing, pending, failed, with a warning, passed and skipped", async () => {
    const number = await opened("checked");
    await protect({ enable_status_check: true, status_check_contexts: ["ci/*", "docs"] });
    expect(await why(number)).toMatchObject({
      codes: ["checks_missing"],
      reasons: [{ checks: [{ context: "ci/*" }, {}] }],
    });
    await report(number, "ci/test", "pending");
    expect((await why(number)).codes).toEqual(["checks_pending", "checks_missing"]);
    await report(number, "ci/test", "failure");
    await report(number, "docs", "success");
    await report(number, "other", "failure");
    const failed = await why(number);
    expect(failed).toMatchObject({ codes: ["checks_failed"], reasons: [{ checks: [{ context: "ci/test" }] }] });
    expect(failed.reasons[0]?.checks).toHaveLength(1);
    expect(await refusal(number)).toContain("required status checks");
    await report(number, "ci/test", "skipped");
    expect(await why(number)).toMatchObject({ exit: 0, codes: [] });
    expect(await refusal(number)).toBeUndefined();
    await report(number, "ci/test", "warning");
    // A warning passes on Gitea 1.25: only the server can tell.
    const refused = await refusal(number);
    expect((await why(number)).codes).toEqual(refused === undefined ? [] : ["checks_failed"]);
    expect(refused ?? "required status checks").toContain("required status checks");
    if (target.isGitea("1.26") || target.software === "forgejo") expect(refused).toBeDefined();
  });

  it("checks that are required without names", async () => {
    const number = await opened("unnamed");
    await protect({ enable_status_check: true });
    expect((await why(number)).codes).toEqual(["checks_missing"]);
    expect(await refusal(number)).toContain("required status checks");
    await report(number, "any", "success");
    expect((await why(number)).codes).toEqual([]);
    expect(await refusal(number)).toBeUndefined();
    await report(number, "another", "error");
    expect((await why(number)).codes).toEqual(["checks_failed"]);
    expect(await refusal(number)).toContain("required status checks");
  });

  it("a branch that is behind, where that blocks", async () => {
    await protect({ block_on_outdated_branch: true });
    const number = await opened("behind");
    expect((await why(number)).codes).toEqual([]);
    await write("main", "behind-main.txt", "new");
    await settled(async () => (await why(number)).codes.length > 0);
    expect((await why(number)).codes).toEqual(["behind"]);
    // The server counts the commits that it is behind only some time after the push.
    await settled(async () => (await refusal(number)) !== undefined);
    expect(await refusal(number)).toContain("behind");
    await protect(undefined);
    expect((await why(number)).codes).toEqual([]);
  });

  it("protected files, in any case and with separators", async () => {
    const number = await opened("files", "Charts.TXT");
    await protect({ protected_file_patterns: "charts.*;other/**" });
    const found = await why(number);
    expect(found).toMatchObject({ codes: ["protected_files"], reasons: [{ files: ["Charts.TXT"] }] });
    // The sandbox and Forgejo look for protected files only when the head changes.
    if (target.kind === "server" && target.software === "gitea")
      expect(await refusal(number)).toContain("protected files");
    await protect({ protected_file_patterns: "*;charts" });
    expect((await why(number)).codes).toEqual([]);
    expect(await refusal(number)).toBeUndefined();
  });

  it("the merge allowlist with those on it, and what somebody else cannot read", async () => {
    const number = await opened("allowlist");
    await protect({ enable_merge_whitelist: true, merge_whitelist_usernames: [jonas.login] });
    const mine = await why(number);
    expect(mine).toMatchObject({ codes: ["merge_allowlist"], reasons: [{ users: [jonas.login] }], unchecked: [] });
    expect(await refusal(number)).toContain("not allowed to merge");
    const other = await why(number, jonas);
    expect(other).toMatchObject({ exit: 0, codes: [], unchecked: ["protected_files", "signatures"] });
    expect(await refusal(number, jonas)).toBeUndefined();
  });

  it("commits without a signature, and a server without a key", async () => {
    const number = await opened("signed");
    await protect({ require_signed_commits: true });
    const { codes } = await why(number);
    expect(codes).toContain("unsigned_commits");
    expect(codes.filter((code) => !["unsigned_commits", "no_signing_key"].includes(code))).toEqual([]);
    expect(await refusal(number)).toMatch(/sign/);
    await protect(undefined);
  });

  it("open dependencies", async ({ skip }) => {
    if (target.kind === "sandbox") skip("issues of the sandbox depend on no others");
    const number = await opened("blocked");
    const { number: issue } = (await ask("POST", "/issues", { title: "Dredge first" })) as { number: number };
    const [owner, name] = repo.split("/");
    await ask("POST", `/issues/${number}/dependencies`, { owner, repo: name, index: issue });
    expect(await why(number)).toMatchObject({ exit: 1, codes: ["dependencies"] });
    const merge = await mara.tongs(["pr", "merge", `${number}`, "--style", "merge"], { env: { TONGS_REPO: repo } });
    expect(merge).toMatchObject({ code: 9 });
    await ask("PATCH", `/issues/${issue}`, { state: "closed" });
    expect((await why(number)).codes).toEqual([]);
  });

  it("several at once, which a refused merge names, too", async () => {
    const number = await opened("several");
    await protect({ required_approvals: 1, enable_status_check: true, status_check_contexts: ["ci"] });
    expect((await why(number)).codes).toEqual(["missing_approvals", "checks_missing"]);
    const line = ["pr", "merge", `${number}`, "--style", "merge"];
    const merge = await mara.tongs(line, { env: { TONGS_REPO: repo } });
    expect(merge).toMatchObject({ code: 9, stdout: "" });
    expect(merge.stderr).toContain(`Needs 1 more approval from ${jonas.login}`);
    expect(merge.stderr).toContain("Required checks were not reported: ci");
    await protect(undefined);
  });

  it("an archived repository, last", async () => {
    const number = await opened("last");
    await protect(undefined);
    await ask("PATCH", "", { archived: true });
    expect(await why(number)).toMatchObject({ exit: 1, codes: ["archived"] });
    await ask("PATCH", "", { archived: false });
  });
});

/** Waits until the server has worked out what a push changed. */
async function settled(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause();
}
