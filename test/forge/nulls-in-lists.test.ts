import { describe, expect, it } from "vitest";
import { end, harbor, listed, pull } from "../commands/pr/pulls.ts";
import { type Handler, serve, type TestServer } from "../support/server.ts";
import { tongs, type World } from "../support/tongs.ts";

let server: TestServer | undefined;

async function run(handler: Handler, line: readonly string[], world: World = {}) {
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
  return tongs(line, { ...world, env });
}

const label = { id: 3, name: "bug", color: "ff0000" };
const asset = { id: 5, name: "chart.txt", uuid: "0-5", size: 4 };
const jonas = { id: 2, login: "jonas" };
/** What Gitea sends after one of the reviewers was deleted, and the same in every other list. */
const haunted = pull(12, {
  requested_reviewers: [null, jonas],
  requested_reviewers_teams: [{ id: 4, name: "pilots" }, null],
  assignees: [jonas, null],
  labels: [null, label],
  head: { ...end("change-12"), sha: "a".repeat(40) },
});
const issue = { ...haunted, number: 8, assets: [null, asset] };
const approved = { id: 9, user: jonas, state: "APPROVED", official: true, submitted_at: "2026-11-20T14:00:00Z" };

const answer: Handler = ({ url, method, body }) => {
  const [path = ""] = url.split("?");
  if (path.endsWith("/reviews")) return listed([null, approved]);
  if (path.endsWith("/pulls/12/merge")) return { status: 404 };
  if (/\/(pulls|issues)$/.test(path)) return listed([haunted]);
  if (path.endsWith("/issues/search")) {
    return listed([{ ...haunted, repository: { name: "harbor", owner: "mara", full_name: "mara/harbor" } }]);
  }
  if (path.endsWith("/dependencies") || path.endsWith("/notifications")) return listed([]);
  if (method === "DELETE") return path.endsWith("/assignees") ? { body: issue } : { status: 204 };
  if (path.endsWith("/repos/mara/harbor")) return { body: { ...harbor, permissions: { push: true } } };
  if (path.endsWith("/users/jonas")) return { body: jonas };
  if (path.endsWith("/label/templates/Default")) return { body: [null, { name: "bug", color: "ff0000" }] };
  if (path.endsWith("/runners")) {
    const runner = { id: 1, name: "tug", status: "online", labels: [null, { id: 1, name: "linux", type: "custom" }] };
    return { body: { runners: [runner], total_count: 1 } };
  }
  if (path.endsWith("/labels")) return listed([label, null]);
  if (path.endsWith("/assets") || path.endsWith("/comments")) return listed([null, asset]);
  if (path.endsWith("/statuses") || path.endsWith("/status")) return { body: { statuses: [] } };
  if (/\/(assignees|reviewers|stargazers)$/.test(path)) return listed([null, jonas]);
  if (path.endsWith("/user")) return { body: { id: 1, login: "mara" } };
  if (path.includes("/pulls/12")) {
    return { body: { ...haunted, ...(method === "PATCH" ? (JSON.parse(body) as object) : {}) } };
  }
  if (path.includes("/releases")) return { body: { id: 1, tag_name: "v1", assets: [null, asset] } };
  if (path.includes("/issues/")) return { body: issue };
  return path.includes("/branches/") ? { body: { name: "main" } } : { status: 404, body: { message: "not found" } };
};

describe("null in a list of people, teams, labels, files or reviews", () => {
  it.each([
    ["pr view 12", 0],
    ["pr checks 12", 1],
    ["pr why 12", 0],
    ["pr merged 12", 1],
    ["pr list", 0],
    ["pr list --label bug --assignee jonas", 0],
    ["pr list --all-repos --label bug --assignee jonas", 0],
    ["pr status", 0],
    ["pr reviews 12", 0],
    ["pr close 12", 0],
    ["pr edit 12 --title Other --remove-reviewer jonas --remove-label bug --remove-assignee jonas", 0],
    ["status", 0],
    ["issue view 8", 0],
    ["issue edit 8 --remove-label bug", 0],
    ["issue attachment list 8", 0],
    ["label list", 0],
    ["repo stargazers", 0],
    ["template label view Default", 0],
    ["runner list", 0],
    ["release view v1", 0],
    ["search issue tide --label bug", 0],
  ])("is left out of the text of %s", async (line, code) => {
    const ran = await run(answer, [...line.split(" "), "--yes"]);
    expect(ran).toMatchObject({ code, stderr: expect.not.stringMatching(/✗|bug in tongs/) });
    expect(ran.stdout).not.toMatch(/null|undefined/);
  });

  it("is left out of tables on a terminal", async () => {
    const ran = await run(answer, ["label", "list"], { terminal: true });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("bug") });
    expect(ran.stdout.trim().split("\n").length).toBe(2);
  });

  it("is kept in JSON, JSON lines and for jq, of records and of lists, and is no row of CSV", async () => {
    const json = async (...line: string[]) => (await run(answer, line)).stdout;
    expect(await json("pr", "view", "12", "--jq", ".requested_reviewers[0], .labels[0]")).toBe("null\nnull\n");
    expect(await json("label", "list", "--json", "name")).toBe('[{"name":"bug"},null]\n');
    expect(await json("label", "list", "--jsonl", "--json", "name")).toBe('{"name":"bug"}\nnull\n');
    expect(await json("label", "list", "--jq", ".[1]")).toBe("null\n");
    expect(await json("label", "list", "--csv", "--json", "name")).toBe("name\nbug\n");
  });

  it("is not among the choices of a prompt", async () => {
    const choices = ["Reviewers", "Labels", "Assignees"];
    for (const choice of choices) {
      const ran = await run(answer, ["pr", "edit", "12"], { terminal: true, answers: [choice, ""] });
      expect(ran.stderr).not.toMatch(/null|bug in tongs|not a/);
    }
  });

  it("is in the schema", async () => {
    const output = async (name: string) => {
      const { commands } = (await tongs(["schema", ...name.split(" ")])).json() as {
        readonly commands: readonly { readonly output: unknown }[];
      };
      return commands[0]?.output;
    };
    expect(await output("label list")).toMatchObject({ items: { type: ["object", "null"] } });
    expect(await output("repo list")).toMatchObject({ items: { type: "object" } });
    expect(await output("pr view")).toMatchObject({
      properties: {
        labels: { type: ["array", "null"], items: { type: ["object", "null"] } },
        requested_reviewers: { items: { anyOf: [{}, { type: "null" }] } },
      },
    });
  });
});
