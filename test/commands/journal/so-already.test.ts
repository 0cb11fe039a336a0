import { createHash } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { serve, type TestServer } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

interface Case {
  readonly first?: string;
  /** Whether Gitea alone has it. */
  readonly only?: true;
  readonly line: string;
  /** What is said when it was so already. */
  readonly says: string;
  /** The result in JSON, of a write that leaves no record. */
  readonly result?: true;
}

const cases: readonly Case[] = [
  { line: "star add mara/harbor", says: "mara/harbor was already starred" },
  { line: "star remove mara/harbor", says: "mara/harbor was already not starred" },
  { line: "follow add jonas", says: "jonas was already followed" },
  { line: "follow remove jonas", says: "jonas was already not followed" },
  { line: "repo watch mara/harbor", says: "mara/harbor was already watched" },
  { only: true, line: "issue lock 2", says: "Issue mara/harbor#2 was already locked" },
  {
    only: true,
    line: "issue lock 3 -r Spam",
    says: "Issue mara/harbor#3 was already locked; its reason was not changed",
  },
  { only: true, line: "issue unlock 2", says: "Issue mara/harbor#2 was already unlocked" },
  { only: true, line: "pr lock 4", says: "Pull request mara/harbor#4 is already locked" },
  {
    first: "pr unlock 3",
    only: true,
    line: "pr lock 3 -r Spam",
    says: "Pull request mara/harbor#3 is already locked; its reason was not",
  },
  { only: true, line: "pr unlock 4", says: "Pull request mara/harbor#4 is not locked" },
  { first: "issue reopen 2", line: "issue close 2", says: "Pull request mara/harbor#2 is already closed" },
  { line: "issue reopen 2", says: "Pull request mara/harbor#2 is already open" },
  { line: "pr close 4", says: "Pull request mara/harbor#4 is already closed" },
  { line: "pr reopen 4", says: "Pull request mara/harbor#4 is already open" },
  { line: "repo archive harbormaster/quay", says: "harbormaster/quay was already archived" },
  { line: "repo unarchive harbormaster/quay", says: "harbormaster/quay was already unarchived" },
  { line: "team member add squadron/pilots jonas", says: "jonas was already added to", result: true },
  { line: "team member remove squadron/pilots jonas", says: "jonas is not in", result: true },
  { line: "team repo add squadron/pilots dock", says: "squadron/dock was already added to", result: true },
  { line: "team repo remove squadron/pilots dock", says: "squadron/dock is not in", result: true },
  {
    first: "team member add squadron/pilots jonas",
    line: "org member remove squadron jonas --yes",
    says: "jonas is not in organization squadron",
    result: true,
  },
  {
    line: "org member publish squadron",
    says: "harbormaster was already public in organization squadron",
    result: true,
  },
  {
    line: "org member conceal squadron",
    says: "harbormaster was already concealed in organization squadron",
    result: true,
  },
  { only: true, line: "runner disable 1 --admin", says: "Runner 1 was already disabled" },
  { only: true, line: "runner enable 1 --admin", says: "Runner 1 was already enabled" },
  {
    first: "label create tide --color ff0000",
    line: "label edit tide --color 00ff00",
    says: "Label 'tide' already had this: color",
  },
  { line: "issue edit 2 --title Ebb", says: "Issue mara/harbor#2 is already up to date; nothing was changed" },
  { line: "pr edit 4 --title Ebb", says: "Pull request mara/harbor#4 is already up to date; nothing was changed" },
  {
    line: "repo edit --description Ebb",
    says: "mara/harbor already had this: description",
  },
];

describe.each(["gitea@1.26", "forgejo"])("what was so already, on %s", (as) => {
  let box: OnSandbox;
  const env = { XDG_STATE_HOME: emptyFolder(), TONGS_REPO: "mara/harbor" };
  const run = (line: string, ...more: string[]) => box.run([...line.split(" "), ...more], { env });
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(as) });
    await box.ask("POST", "/orgs", "harbormaster", { username: "squadron" });
    const team = { name: "pilots", permission: "write", units: ["repo.code"] };
    await box.ask("POST", "/orgs/squadron/teams", "harbormaster", team);
    await box.ask("POST", "/orgs/squadron/repos", "harbormaster", { name: "dock" });
    await box.ask("POST", "/user/repos", "harbormaster", { name: "quay" });
    await box.ask("PUT", "/repos/mara/harbor/subscription", "harbormaster");
    await box.ask("DELETE", "/repos/mara/harbor/subscription", "harbormaster");
  });

  it.each(cases.filter(({ only }) => only !== true || as !== "forgejo"))(
    "is not called done: $line",
    async ({ first, line, says, result }) => {
      if (first !== undefined) await run(first);
      const done = await run(line);
      expect([done.code, done.stderr]).toEqual([0, expect.stringMatching(/^✓ /m)]);
      const again = await run(line);
      expect([again.code, again.stderr]).toEqual([0, expect.stringContaining(says)]);
      expect(again.stderr).not.toContain("✓");
      const asJson = await run(line, "--json");
      expect(asJson.code).toBe(0);
      if (result) expect(asJson.json()).toMatchObject([{ result: "unchanged" }]);
    },
  );
});

describe("what was so already, where the sandbox does not serve it", () => {
  let server: TestServer;
  let has = false;
  const env = () => ({ TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret-token", XDG_STATE_HOME: emptyFolder() });
  const run = (line: string, ...more: string[]) => tongs([...line.split(" "), ...more], { env: env() });
  beforeAll(async () => {
    // The MD5 of the name, by which servers name an avatar that they made.
    const made = createHash("md5").update("tidewater").digest("hex");
    const heart = { user: { login: "mara" }, content: "heart" };
    server = await serve(({ method, url }) => {
      const isReaction = url.includes("/reactions");
      if (method !== "GET") {
        has = method !== "DELETE";
        return isReaction && has ? { status: 201, body: heart } : { status: isReaction ? 200 : 204 };
      }
      if (url === "/api/v1/repos/mara/harbor")
        return { body: { avatar_url: has ? "https://a.example.org/1.png" : "" } };
      if (url === "/api/v1/orgs/tidewater")
        return {
          body: {
            id: 7,
            name: "tidewater",
            email: "",
            avatar_url: `https://a.example.org/avatars/${has ? "f00d" : made}`,
          },
        };
      if (url === "/api/v1/user") return { body: { id: 1, login: "mara" } };
      if (isReaction) return { body: has ? [heart] : [] };
      return { status: has ? 204 : 404 };
    });
  });

  it.each([
    { line: "issue reaction add 1 heart", says: "You already reacted with heart to mara/harbor#1" },
    { line: "issue reaction remove 1 heart", says: "You have no reaction heart to mara/harbor#1" },
    { line: "repo avatar delete --yes", says: "mara/harbor has no avatar" },
    { line: "org avatar delete tidewater --yes", says: "tidewater has no avatar" },
    { line: "repo flag add large", says: "Flag large was already added to mara/harbor" },
    { line: "repo flag remove large", says: "Flag large is not in mara/harbor" },
  ])("is not called done: $line", async ({ line, says }) => {
    has = /remove|delete/.test(line);
    const where = line.startsWith("org") ? [] : ["-R", "mara/harbor"];
    const done = await run(line, ...where);
    expect([done.code, done.stderr]).toEqual([0, expect.stringContaining("✓ ")]);
    const again = await run(line, ...where);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining(says)]);
    expect(again.stderr).not.toContain("✓");
  });
});
