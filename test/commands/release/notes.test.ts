import { describe, expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

interface Pull {
  readonly number: number;
  readonly title: string;
  readonly sha: string;
  readonly labels?: readonly string[];
  readonly merged?: boolean;
  readonly updated?: string;
}

const pull = ({ number, title, sha, labels = [], merged = true, updated = "2026-02-01T00:00:00Z" }: Pull) => ({
  id: number,
  number,
  title,
  merged,
  state: "closed",
  merge_commit_sha: sha,
  updated_at: updated,
  merged_at: `2026-01-${String(10 + number).padStart(2, "0")}T00:00:00Z`,
  base: { ref: "main", label: "main", sha: "b0", repo_id: 1 },
  head: { ref: "x", label: "x", sha, repo_id: 1 },
  user: { id: 1, login: "jonas" },
  labels: labels.map((name, id) => ({ id, name })),
});

/** A server with releases, commits since the last one, and pull requests. Returns the notes that are sent. */
async function generate(
  {
    pulls,
    releases,
    tags = [],
  }: { readonly pulls: readonly Pull[]; readonly releases: readonly string[]; readonly tags?: readonly string[] },
  flags: readonly string[] = [],
) {
  const commits = ["s1", "s2", "s3", "s4"].map((sha) => ({ sha, commit: { message: "x" } }));
  const server = await serve(({ method, url }) => {
    const { pathname } = new URL(url, "http://server");
    const rest = pathname.replace("/api/v1/repos/mara/buoy", "");
    if (method === "POST") return { status: 201, body: { id: 9, tag_name: "v2" } };
    if (rest === "/releases")
      return { body: releases.map((tag_name, id) => ({ id, tag_name, draft: tag_name === "draft" })) };
    if (rest.startsWith("/tags/"))
      return tags.includes(rest.slice(6))
        ? { body: { name: rest.slice(6) } }
        : { status: 404, body: { message: "not found" } };
    if (rest === "/pulls") return { body: pulls.map(pull) };
    if (rest.startsWith("/compare/")) return { body: { total_commits: 4, commits } };
    if (rest === "/commits") return { body: commits };
    if (rest.startsWith("/git/commits/")) return { body: { sha: "s0", created: "2026-01-05T00:00:00Z" } };
    return { body: { owner: { login: "mara" }, name: "buoy", full_name: "mara/buoy", default_branch: "main" } };
  });
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/buoy" };
  const ran = await tongs(["release", "create", "v2", "--generate-notes", ...flags], { env });
  const sent = server.seen.find(({ method }) => method === "POST")?.body;
  const body = sent === undefined ? "" : String((JSON.parse(sent) as { readonly body: string }).body);
  return { ran, body: body.replaceAll(server.url, "URL"), lines: server.lines() };
}

describe("generated release notes", () => {
  const pulls = [
    { number: 4, title: "Add  a\nfog horn", sha: "s4", labels: ["feature", "sound"] },
    { number: 3, title: "Fix the lamp", sha: "s3", labels: ["bug"] },
    { number: 2, title: "Paint", sha: "s2" },
    { number: 1, title: "Fix the door", sha: "s1", labels: ["bug"] },
    { number: 5, title: "Merged elsewhere", sha: "s9", labels: ["bug"] },
    { number: 6, title: "Closed only", sha: "s1", merged: false },
  ];

  it("list the pull requests merged since the last release by label", async () => {
    const { ran, body, lines } = await generate({ pulls, releases: ["draft", "v2", "v1", "v0"] });
    expect(ran.code).toBe(0);
    expect(body).toBe(
      [
        "## What's changed\n",
        "### bug\n",
        "- Fix the lamp by @jonas in #3",
        "- Fix the door by @jonas in #1\n",
        "### feature\n",
        "- Add a fog horn by @jonas in #4\n",
        "### Other changes\n",
        "- Paint by @jonas in #2\n",
        "**Full Changelog**: URL/mara/buoy/compare/v1...v2\n",
      ].join("\n"),
    );
    expect(lines).toContain("GET /api/v1/repos/mara/buoy/compare/v1...main?verification=false&files=false");
  });

  it("compare with the tag if it exists, and start from --notes-start-tag", async () => {
    const { lines } = await generate({ pulls, releases: ["v1"], tags: ["v2"] }, ["--notes-start-tag", "v0"]);
    expect(lines).toContain("GET /api/v1/repos/mara/buoy/compare/v0...v2?verification=false&files=false");
  });

  it("follow the given notes", async () => {
    const { body } = await generate({ pulls, releases: ["v1"] }, ["--notes", "Thanks to all.\n"]);
    expect(body).toMatch(/^Thanks to all\.\n\n## What's changed\n/);
  });

  it("of a first release list everything that leads to it", async () => {
    const { body, lines } = await generate({ pulls: pulls.slice(2, 3), releases: [] });
    expect(body).toBe(
      "## What's changed\n\n- Paint by @jonas in #2\n\n**Full Changelog**: URL/mara/buoy/commits/tag/v2\n",
    );
    expect(lines.some((line) => line.includes("/compare/"))).toBe(false);
  });

  it("stop reading at pull requests that were not updated since, and say that there are none", async () => {
    const old = { number: 1, title: "Old", sha: "s1", updated: "2026-01-01T00:00:00Z" };
    const { ran, body } = await generate({ pulls: [old, ...pulls], releases: ["v1"] });
    expect(ran.stderr).toContain("No pull requests were merged since the last release");
    expect(body).toBe("**Full Changelog**: URL/mara/buoy/compare/v1...v2\n");
  });
});
