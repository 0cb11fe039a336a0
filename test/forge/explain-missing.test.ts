import { describe, expect, it } from "vitest";
import { explainMissing } from "../../src/forge/explain-missing.ts";
import { NotFoundError } from "../../src/http/errors.ts";

async function explained(line: string, body: unknown, exists = true): Promise<string> {
  const [method = "", path = ""] = line.split(" ");
  const exchange = { method, path: `/api/v1${path}`, status: 404, headers: {}, server: "example.org", body };
  const error = new NotFoundError(exchange);
  return (await explainMissing(error, { signedIn: true, exists: async () => exists })).message;
}

/** The same of a path below the repository mara/harbor. */
const inHarbor = (line: string, body: unknown) => explained(line.replace(" ", " /repos/mara/harbor/"), body);

describe("a 404 below a repository", () => {
  it.each([
    ["POST pulls/3/requested_reviewers", "user doesn't exist: nobody"],
    ["DELETE issues/3/labels/9", "label does not exist [label_id: 9, repo_id: 0]"],
    ["GET actions/runs/3/attempts/9", "run attempt 9 for run 3: resource does not exist"],
    ["PATCH pulls/3", "new base 'absent' not exist"],
  ])("names what is missing instead of the record in the path: %s", async (line, message) => {
    expect(await inHarbor(line, { message })).toBe(`Not found in mara/harbor: ${message}`);
  });

  it.each([
    [{ empty: true }, "mara/harbor is empty: it has no pull requests yet"],
    [{ mirror: true }, "mara/harbor is a mirror: it has no pull requests"],
    [{}, "Pull requests are turned off in mara/harbor, or you do not have access to them"],
  ])("says why a repository with %j has no pull requests", async (found, sentence) => {
    const about = { method: "GET", path: "/api/v1/repos/mara/harbor/pulls", status: 404, headers: {} };
    const error = new NotFoundError({ ...about, server: "example.org", body: { message: "Not Found" } });
    const world = { signedIn: true, exists: async () => true, repository: async () => found };
    expect((await explainMissing(error, world)).message).toBe(sentence);
  });

  it.each([
    [{ has_actions: false }, "Actions are turned off in mara/harbor"],
    [{ has_actions: true }, "Secret TIDE not found in mara/harbor"],
  ])("says of a repository with %j why there is nothing of Actions", async (found, sentence) => {
    const about = { method: "PUT", path: "/api/v1/repos/mara/harbor/actions/secrets/TIDE", status: 404, headers: {} };
    const body = { message: "The target couldn't be found." };
    const error = new NotFoundError({ ...about, server: "example.org", body });
    const world = { signedIn: true, exists: async () => true, repository: async () => ({ empty: false, ...found }) };
    expect((await explainMissing(error, world)).message).toBe(sentence);
  });

  it.each([
    ["GET issues?state=open", "Issues"],
    ["GET pulls", "Pull requests"],
    ["GET wiki/pages?page=1", "Wiki pages"],
    ["POST wiki/new", "Wiki pages"],
    ["GET releases", "Releases"],
  ])("says of a unit without a reason that it is turned off or not visible: %s", async (line, unit) => {
    const sentence = `${unit} are turned off in mara/harbor, or you do not have access to them`;
    expect(await inHarbor(line, { message: "Not Found" })).toBe(sentence);
    expect(await inHarbor(line, { message: "milestone does not exist" })).toContain("milestone does not exist");
  });

  it.each([
    ["GET contents/a.txt?ref=tide", "object does not exist [id: tide, rel_path: ]"],
    ["POST tags", "target not found: object does not exist [id: tide, rel_path: ]"],
  ])("names the branch, not the file: %s", async (line, message) => {
    expect(await inHarbor(line, { message })).toBe("Branch, tag or commit tide not found in mara/harbor");
  });

  it.each([
    ["DELETE pulls/3/reviews/9", "review does not exist [id: 9]", "Review 9 of pull request #3"],
    ["POST pulls/comments/9/resolve", "comment does not exist [id: 9]", "Review comment 9"],
    ["GET pulls/9", "The target couldn't be found.", "Pull request #9"],
    ["GET issues/9/comments", "issue does not exist [id: 0, repo_id: 1, index: 9]", "Issue #9"],
    ["PUT teams/absent", "team does not exist [org_id 1, team_id 0, name: absent]", "Team absent"],
    ["GET compare/main...x:main", "GetUserByName", "Comparison main...x:main"],
  ])("says it once: %s", async (line, message, what) => {
    expect(await inHarbor(line, { message, errors: null })).toBe(`${what} not found in mara/harbor`);
  });

  it.each([
    ["GET actions/artifacts/4/zip", "Artifact has expired", "Artifact 4"],
    ["DELETE contents/a.md", "branch does not exist [name: x]", "File a.md"],
  ])("adds another reason: %s", async (line, message, what) => {
    expect(await inHarbor(line, { message, errors: null })).toBe(`${what} not found in mara/harbor (${message})`);
  });

  it("says so if the repository is missing", async () => {
    const sentence = await explained("GET /repos/mara/harbor/pulls/9", { message: "not found" }, false);
    expect(sentence).toBe("Repository mara/harbor not found on example.org, or you do not have access");
  });
});

describe("a 404 elsewhere", () => {
  const redirect = (name: string) => `user redirect does not exist [name: ${name}]`;
  it.each([
    ["GET /orgs/nope", "not found", "Organization nope not found"],
    ["POST /orgs/nope/teams", "not found", "Organization nope not found"],
    ["GET /orgs/nope/actions/variables", redirect("nope"), "Organization nope not found"],
    ["PUT /orgs/pilots/block/nobody", redirect("nobody"), "User nobody not found"],
    ["PUT /user/blocks/nobody", redirect("nobody"), "User nobody not found"],
    ["PUT /teams/3/members/nobody", "user does not exist [uid: 0, name: nobody]", "User nobody not found"],
    ["GET /orgs/pilots/members/jonas", "not found", "Not found"],
    ["GET /orgs/pilots/hooks/9", "The target couldn't be found.", "Hook 9 not found in organization pilots"],
    ["GET /admin/hooks/9", "not found", "Hook 9 not found among the server-wide hooks"],
    ["DELETE /user/keys/9", "not found", "SSH key 9 not found in your account"],
    ["DELETE /user/applications/oauth2/9", "not found", "Application 9 not found in your account"],
    ["GET /admin/actions/runners/9", "runner with id 9: resource does not exist", "Runner 9 not found"],
    ["GET /users/nobody", "Visit Project", "User nobody not found"],
    ["GET /users/nobody", "user does not exist", "User nobody not found"],
  ])("names what is missing: %s", async (line, message, what) => {
    expect(await explained(line, { message, errors: [] })).toBe(`${what} on example.org`);
  });

  it("names the user whom a request in a repository is about", async () => {
    const message = "user does not exist [uid: 0, name: nobody]";
    expect(await explained("GET /repos/mara/harbor/issues", { message })).toBe("User nobody not found on example.org");
  });
});
