import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestSandbox, testSandbox } from "./with-sandbox.ts";

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await testSandbox();
});
afterAll(() => sandbox.close());

const harbor = "/repos/mara/harbor";

test("commits are listed without those of another ref, and by time", async () => {
  await sandbox.ask("POST", `${harbor}/branches`, "mara", { new_branch_name: "later" });
  for (const [message, date] of [
    ["one", "2027-01-01T00:00:00Z"],
    ["two", "2027-01-03T00:00:00Z"],
  ]) {
    const file = { content: "eA==", message, branch: "later", dates: { committer: date, author: date } };
    await sandbox.ask("POST", `${harbor}/contents/${message}.md`, "mara", file);
  }
  const listed = async (query: string) => {
    const { status, body } = await sandbox.ask("GET", `${harbor}/commits?sha=later&${query}`);
    if (status !== 200) return [status, (body as { message: string }).message];
    return (body as { commit: { message: string } }[]).map(({ commit }) => commit.message.trim());
  };
  expect(await listed("not=main")).toEqual(["two", "one"]);
  expect(await listed("not=main&since=2027-01-02T00:00:00Z")).toEqual(["two"]);
  expect(await listed("not=main&until=2027-01-02T02:00:00%2B02:00")).toEqual(["one"]);
  expect(await listed("not=nowhere")).toEqual([404, "object does not exist [id: nowhere, rel_path: ]"]);
  for (const name of ["since", "until"]) {
    expect(await listed(`${name}=yesterday`)).toEqual([422, `invalid '${name}' format, expected ISO 8601 (RFC3339)`]);
  }
});

test("the diff of a merge is what it changed on its first parent, and its patch has the merged commits", async () => {
  const file = { content: "eA==", message: "Add a mole", branch: "main", new_branch: "mole" };
  await sandbox.ask("POST", `${harbor}/contents/mole.md`, "mara", file);
  const { body } = await sandbox.ask("POST", `${harbor}/pulls`, "mara", { title: "Mole", head: "mole", base: "main" });
  await sandbox.ask("POST", `${harbor}/pulls/${(body as { number: number }).number}/merge`, "mara", { Do: "merge" });
  const diff = await sandbox.ask("GET", `${harbor}/git/commits/main.diff`);
  expect(diff.body).toMatch(/^diff --git a\/mole\.md b\/mole\.md\nnew file mode 100644\n/);
  const patch = await sandbox.ask("GET", `${harbor}/git/commits/main.patch`);
  expect(patch.body).toContain("Subject: [PATCH] Add a mole\n");
  expect(patch.body).toMatch(/\n\+x\n\\ No newline at end of file\n$/);
});
