import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { allOperations, operationAt, pathOf, placedOperations } from "../../src/forge/all-operations.ts";
import { attachmentDownload } from "../../src/forge/attachments.ts";
import { factsAt } from "../../src/forge/facts.ts";
import { labelEdit } from "../../src/forge/labels.ts";
import { collect } from "../../src/forge/listings.ts";
import { call, operation } from "../../src/forge/operation.ts";
import { pullList } from "../../src/forge/pulls.ts";
import { repoGet, userRepoList } from "../../src/forge/repos.ts";
import { availableSince, sinceOf } from "../../src/forge/support.ts";
import { anything } from "../../src/shape/shape.ts";
import { clientFor } from "../http/client-for.ts";
import { serve } from "../support/server.ts";

const top = join(import.meta.dirname, "../..");

interface Generator {
  mergedFacts(): { readonly operations: Readonly<Record<string, unknown>> };
  sources(): Readonly<Record<string, string>>;
}
const generator = "../../scripts/generate/operations.mjs";
const { sources } = (await import(generator)) as Generator;

it("throws nothing when it is called: what was called beside it is waited for, not left behind", async () => {
  const server = await serve(() => ({ body: [] }));
  const { http, close } = clientFor(server.url);
  const [list, one] = [
    call(http, userRepoList, { username: "" }),
    call(http, repoGet, { repo: { owner: "", name: "lamp" } }),
  ];
  await expect(collect(list)).rejects.toThrow("Name must not be empty");
  await expect(one).rejects.toMatchObject({ exit: "usage" });
  close();
});

describe("the operations of src/forge", () => {
  it("are all described by a release, or named with a reason in the overrides", () => {
    const unknown = placedOperations.filter(({ operation: { method }, path }) => factsAt(method, path) === undefined);
    expect(unknown.map(({ operation: { method }, path }) => `${method} ${path}`)).toEqual([]);
    expect(allOperations.size).toBeGreaterThan(300);
  });

  it("name in `missing` only parameters of their path", () => {
    const wrong = placedOperations.filter(({ operation: { missing = "" }, path }) =>
      (missing.match(/\{[^}]+\}/g) ?? []).some((place) => !path.includes(place)),
    );
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it("are all in the index of areas", () => {
    const folder = join(top, "src/forge");
    const areas = readdirSync(folder).filter((file) => file.endsWith(".ts") && file !== "operation.ts");
    const declared = areas.flatMap((file) =>
      [...readFileSync(join(folder, file), "utf8").matchAll(/^export const (\w+) = operation\(/gm)].map(
        ([, name]) => name,
      ),
    );
    expect(declared.filter((name = "") => !allOperations.has(name) && !/^descriptionGet$/.test(name))).toEqual([]);
    const hidden = areas.filter((file) => /^const \w+ = operation\(/m.test(readFileSync(join(folder, file), "utf8")));
    expect(hidden).toEqual(["description.ts"]);
  });

  it.each([
    ["GET", "/repos/mara/harbor/pulls/12", "pullGet", { owner: "mara", repo: "harbor", index: "12" }],
    ["PATCH", "/orgs/pilots/labels/9", "labelEdit", { org: "pilots", id: "9" }],
    ["GET", "/repos/mara/harbor/pulls/12.diff", "pullDiff", { owner: "mara", repo: "harbor", index: "12" }],
    ["GET", "/repos/mara/harbor/raw/feat/tide%20table", "rawFileGet", { filepath: "feat/tide table" }],
    ["GET", "/repos/issues/search", "issueSearch", {}],
  ])("are found by a request: %s %s is %s", (method, path, name, parameters) => {
    const found = operationAt(method, path);
    expect([found?.name, Object.fromEntries(found?.parameters ?? [])]).toEqual([
      name,
      expect.objectContaining(parameters),
    ]);
    expect(found && pathOf(found, {})).toBe(path);
  });

  it("are not found by a request of none of them", () => {
    expect(operationAt("GET", "/repos/mara")).toBeUndefined();
    expect(operationAt("PUT", "/version")).toBeUndefined();
    expect(operationAt("GET", "/admin/labels/1")).toBeUndefined();
    expect(operationAt("GET", "/repos/mara/harbor/pulls/pinned")).toBeUndefined();
  });

  it("have the effect of their method unless they say another", () => {
    expect(operation("GET", "/version", { answers: anything }).effect).toBe("read");
    expect(operation("PATCH", "/user/settings", { answers: anything }).effect).toBe("write");
    expect(operation("DELETE", "/user/keys/{id}", { answers: anything }).effect).toBe("destroy");
    expect(allOperations.get("pullMerge")?.effect).toBe("destroy");
  });
});

describe("a call", () => {
  it("sends the path, the query and the body, with names escaped, and web pages outside the API", async () => {
    const server = await serve(({ url }) => ({ body: url.includes("?") ? [] : { id: 1, name: "a" } }));
    const { http, close } = clientFor(server.url);
    const repo = { owner: "mara", name: "har/bor" };
    await call(http, labelEdit, { level: { of: "organization", org: "a b" }, id: 9 }, { color: "00aabb" });
    await collect(call(http, pullList, { repo, state: "open", milestone: undefined }));
    const { body } = await call(http, attachmentDownload, { uuid: "a b" });
    for await (const _chunk of body) break;
    expect(server.lines()).toEqual([
      "PATCH /api/v1/orgs/a%20b/labels/9",
      "GET /api/v1/repos/mara/har%2Fbor/pulls?state=open&page=1&limit=50",
      "GET /attachments/a%20b",
    ]);
    expect(server.seen[0]?.body).toBe('{"color":"00aabb"}');
    for (const uuid of ["", ".", ".."])
      await expect(call(http, attachmentDownload, { uuid })).rejects.toThrow(
        expect.objectContaining({ exit: "usage" }),
      );
    close();
  });
});

describe("the facts of releases", () => {
  it("are up to date with the descriptions; `npm run generate` updates them", () => {
    for (const [file, text] of Object.entries(sources())) {
      expect(readFileSync(join(top, "src/forge/generated", file), "utf8") === text, "run: npm run generate").toBe(true);
    }
  });

  it.each([
    ["GET", "/repos/{owner}/{repo}/labels", undefined],
    ["GET", "/repos/{owner}/{repo}/actions/runs", "Available since Gitea 1.25 and Forgejo 12.0."],
    ["GET", "/repos/{owner}/{repo}/actions/runs/{anything}", "Available since Gitea 1.25 and Forgejo 12.0."],
    ["GET", "/admin/quota/groups", "Available since Forgejo 9.0. Gitea 28 does not have it."],
    [
      "POST",
      "/repos/{owner}/{repo}/pulls/comments/{id}/resolve",
      "Available since Gitea 1.26. Forgejo 17.0 does not have it.",
    ],
  ])("say which releases have %s %s: %s", (method, path, releases) => {
    const since = sinceOf(`${method} ${path}`);
    expect(since && availableSince(since)).toBe(releases);
  });
});
