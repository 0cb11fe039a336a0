import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.close());

const harbor = "/repos/mara/harbor";
const said = async (method: string, path: string, as: string, body?: unknown) => {
  const answer = await sandbox.ask(method, path, as, body);
  return [answer.status, (answer.body as { message?: string }).message];
};
const labelsOf = async (method: string, index: number, labels: readonly unknown[]) =>
  ((await sandbox.ask(method, `${harbor}/issues/${index}/labels`, "mara", { labels })).body as { name: string }[]).map(
    ({ name }) => name,
  );
const newIssue = async (more: object = {}) =>
  (await sandbox.ask("POST", `${harbor}/issues`, "mara", { title: "A lamp", ...more })).body as {
    readonly number: number;
    readonly labels: readonly { readonly name: string }[];
  };
const newLabel = async (name: string, exclusive = false) =>
  (
    (await sandbox.ask("POST", `${harbor}/labels`, "mara", { name, color: "#00aa00", exclusive })).body as {
      id: number;
    }
  ).id;

test("a label is removed from an issue by its id only", async () => {
  const { number } = await newIssue();
  const id = await newLabel("wet");
  await labelsOf("POST", number, ["wet"]);
  const path = `${harbor}/issues/${number}/labels`;
  expect(await said("DELETE", `${path}/wet`, "mara")).toEqual([
    404,
    expect.stringContaining("[label_id: 0, repo_id: "),
  ]);
  expect(await labelsOf("POST", number, [])).toEqual(["wet"]);
  expect((await sandbox.ask("DELETE", `${path}/${id}`, "mara")).status).toBe(204);
  expect(await said("POST", path, "mara", { labels: [id, "wet"] })).toEqual([
    400,
    "labels should be an array of strings or integers",
  ]);
});

test("an issue has one exclusive label of a scope", async () => {
  const [small, large] = [await newLabel("size/small", true), await newLabel("size/large", true)];
  const { number } = await newIssue();
  expect(await labelsOf("POST", number, ["size/small", "size/large"])).toEqual(["size/small"]);
  expect(await labelsOf("POST", number, ["size/large"])).toEqual(["size/large"]);
  expect(await labelsOf("PUT", number, [small, large])).toEqual(["size/small"]);
  expect((await newIssue({ labels: [large, small] })).labels).toMatchObject([{ name: "size/small" }]);
});

test("what is public, no key, no time and not one's own is refused with Gitea's status", async () => {
  const { number } = await newIssue();
  const one = `${harbor}/issues/${number}`;
  expect((await sandbox.ask("GET", "/users/mara/subscriptions")).status).toBe(401);
  expect(await said("POST", "/user/keys", "mara", { title: "x", key: "ssh-ed25519 nonsense" })).toEqual([
    422,
    "Invalid key content: extractTypeFromBase64Key: invalid key format: not enough length 2659839098",
  ]);
  expect((await said("POST", "/user/keys", "mara", { title: "x", key: "AAAA" }))[0]).toBe(422);
  expect(await said("GET", `${one}/comments?since=yesterday`, "mara")).toEqual([
    422,
    'parsing time "yesterday" as "2006-01-02T15:04:05Z07:00"',
  ]);
  const assigned = await sandbox.ask("POST", `${one}/assignees`, "tomas", { assignees: ["jonas"] });
  expect([assigned.status, assigned.body]).toEqual([403, ""]);
});

test("the tracker of a repository is edited", async () => {
  const off = { enable_time_tracker: false, allow_only_contributors_to_track_time: true };
  const { body } = await sandbox.ask("PATCH", harbor, "mara", { internal_tracker: off });
  expect(body).toMatchObject({ internal_tracker: { ...off, enable_issue_dependencies: false } });
});

test("a search for teams sends their number", async () => {
  const { headers } = await sandbox.ask("GET", "/orgs/pilots/teams/search?q=night", "mara");
  expect(headers.get("x-total-count")).toBe("1");
});
