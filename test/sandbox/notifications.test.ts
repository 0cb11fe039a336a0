import { expect, test } from "vitest";
import { harbor, pullSandbox } from "./pulls-support.ts";

const sandbox = await pullSandbox();

interface Thread {
  readonly id: number;
  readonly subject: { readonly title: string; readonly type: string; readonly state: string };
  readonly unread: boolean;
  readonly pinned: boolean;
}

const of = async (login: string, query = "") =>
  (await sandbox.ask("GET", `/notifications${query}`, login)).body as readonly Thread[];
const titles = async (login: string, query = "") => (await of(login, query)).map(({ subject }) => subject.title);

async function newIssue(fields: Readonly<Record<string, unknown>>, as = "tomas"): Promise<number> {
  const { body } = await sandbox.ask("POST", `${harbor}/issues`, as, fields);
  return (body as { readonly number: number }).number;
}

test("those who watch, take part, are mentioned, assigned or asked for a review are notified, and nobody of what they did", async () => {
  const number = await newIssue({ title: "Fog", body: "Ask @tomas, @harbormaster" });
  expect(await titles("mara")).toContain("Fog");
  expect(await titles("harbormaster")).toEqual(["Fog"]);
  expect(await titles("tomas")).toEqual([]);
  await sandbox.ask("POST", `${harbor}/issues/${number}/comments`, "mara", { body: "Thick" });
  const [told] = await of("tomas");
  expect(told).toMatchObject({ subject: { title: "Fog", type: "Issue", state: "open" }, unread: true, pinned: false });
  await sandbox.ask("PUT", "/notifications", "tomas");
  await sandbox.ask("PATCH", `${harbor}/issues/${number}`, "mara", { state: "closed" });
  expect((await of("tomas"))[0]).toMatchObject({ id: told?.id, subject: { state: "closed" }, unread: true });
});

test("a notification of a private repository reaches only those who can read it, and goes with its issue", async () => {
  await sandbox.ask("POST", "/user/repos", "mara", { name: "cellar", private: true });
  const path = "/repos/mara/cellar/issues";
  await sandbox.ask("POST", path, "mara", { title: "Keys", body: "@priya @jonas" });
  await sandbox.ask("PUT", "/repos/mara/cellar/collaborators/jonas", "mara", { permission: "write" });
  await sandbox.ask("POST", `${path}/1/comments`, "mara", { body: "@priya @jonas" });
  expect(await titles("priya")).not.toContain("Keys");
  expect(await titles("jonas")).toContain("Keys");
  await sandbox.ask("DELETE", `${path}/1`, "mara");
  expect(await titles("jonas")).not.toContain("Keys");
});
