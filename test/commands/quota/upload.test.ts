import { truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Handler, serve } from "../../support/server.ts";
import { emptyFolder, tongs } from "../../support/tongs.ts";

const uploads = [
  ["package", ["package", "upload", "charts@1.0.0", "map.bin", "--owner", "OWNER"], "size:assets:packages:all"],
  ["release", ["release", "upload", "v1.0", "map.bin"], "size:assets:attachments:releases"],
  ["new release", ["release", "create", "v1.1", "map.bin", "--notes", "none"], "size:assets:attachments:releases"],
  ["issue", ["issue", "attachment", "upload", "12", "map.bin"], "size:assets:attachments:issues"],
] as const;

interface Answers {
  readonly version?: string;
  /** What the server says to GET …/quota/check, of an organization and of the user. */
  readonly org?: boolean;
  readonly user?: boolean;
}

/** Uploads a file for an owner; the user is mara. Returns the requests after the version. */
async function upload(line: readonly string[], owner: string, size: number, answers: Answers) {
  const { version = "16.0.0+gitea-1.22.0", org, user } = answers;
  const handler: Handler = ({ method, url }) => {
    const path = url.replace(/\?.*/, "");
    if (path.endsWith("/version")) return { body: { version } };
    if (path.startsWith("/api/v1/orgs/")) return org === undefined ? { status: 404, body: {} } : { body: org };
    if (path.endsWith("/user/quota/check")) return { body: user };
    if (path.endsWith("/user")) return { body: { login: "mara" } };
    if (method === "GET" && path.includes("/releases/")) return { body: { id: 3, tag_name: "v1.0", assets: [] } };
    if (method === "GET") return { status: 404, body: { message: "not found" } };
    return { status: 413, body: { message: "quota exceeded", user_id: 2, username: "mara" } };
  };
  const server = await serve(handler, { saysVersion: true });
  const cwd = emptyFolder();
  writeFileSync(join(cwd, "map.bin"), "");
  truncateSync(join(cwd, "map.bin"), size);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: `${owner}/harbor` };
  const ran = await tongs(
    line.map((word) => word.replace("OWNER", owner)),
    { cwd, env },
  );
  await server.close();
  const lines = server.lines().map((one) => one.replace("/api/v1", ""));
  return {
    ...ran,
    writes: lines.filter((one) => !one.startsWith("GET ")),
    checks: lines.filter((one) => one.includes("/quota/check")).map((one) => decodeURIComponent(one)),
  };
}

const large = 1024 * 1024 + 1;

describe.each(uploads)("an upload to a %s", (_noun, line, subject) => {
  it("is not sent if the quota of the organization, or one's own, is used up", async () => {
    const ofOrg = await upload(line, "tidewater", large, { org: false });
    expect(ofOrg).toMatchObject({
      code: 9,
      writes: [],
      checks: [`GET /orgs/tidewater/quota/check?subject=${subject}`],
    });
    expect(ofOrg.stderr).toContain(`The quota of tidewater is used up (${subject}): nothing was uploaded`);
    expect(ofOrg.stderr).toContain("tongs quota view --org tidewater");
    const own = await upload(line, "mara", large, { user: false });
    expect(own).toMatchObject({ code: 9, writes: [], stderr: expect.stringMatching(/run: tongs quota view\n/) });
  });

  it("is sent otherwise, and a refusal says where to look", async () => {
    for (const [owner, answers] of [
      ["tidewater", { org: true }],
      ["mara", { user: true }],
      ["jonas", {}],
    ] as const) {
      const ran = await upload(line, owner, large, answers);
      expect(ran.writes.length, ran.stderr).toBeGreaterThan(0);
      expect(ran).toMatchObject({ code: 9, stderr: expect.stringContaining("run: tongs quota view") });
    }
  });

  it("of a small file, or to a server without quotas, is sent without asking", async () => {
    const small = await upload(line, "tidewater", large - 1, { org: false });
    expect([small.checks, small.writes.length > 0]).toEqual([[], true]);
    const gitea = await upload(line, "tidewater", large, { version: "1.27.0", org: false });
    expect([gitea.checks, gitea.writes.length > 0]).toEqual([[], true]);
  });
});
