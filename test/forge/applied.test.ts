import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { operationAt, placedOperations } from "../../src/forge/all-operations.ts";
import { type Applied, asColor, asDuration, ignoredFields } from "../../src/forge/applied.ts";
import { factsAt } from "../../src/forge/facts.ts";
import { recordFacts } from "../../src/forge/generated/facts.ts";
import type { Shape } from "../../src/shape/shape.ts";

interface Exchange {
  readonly request: { readonly method: string; readonly path: string; readonly body: unknown };
  readonly response: { readonly status: number; readonly body: unknown };
}

const folder = new URL("../data/exchanges/", import.meta.url);

/** The recorded exchanges of Gitea, or of Forgejo. */
function* exchanges(of: (file: string) => boolean): Generator<Exchange> {
  for (const file of readdirSync(folder).filter((name) => name.endsWith(".ndjson") && of(name))) {
    const lines = readFileSync(fileURLToPath(new URL(file, folder)), "utf8")
      .trim()
      .split("\n");
    for (const line of lines) yield JSON.parse(line) as Exchange;
  }
}

const isRecord = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** `OPERATION FIELD` of all that the recorded servers did not apply. */
function ignoredIn(of: (file: string) => boolean): string[] {
  const found = new Set<string>();
  for (const { request, response } of exchanges(of)) {
    const path = request.path.replace(/\?.*/, "").replace("/api/v1", "");
    const matched = response.status < 300 ? operationAt(request.method, path) : undefined;
    if (matched?.operation.effect !== "write" || !isRecord(request.body) || !isRecord(response.body)) continue;
    const applied = (matched.operation.applied ?? {}) as Applied<object>;
    for (const { name } of ignoredFields(request.body, response.body, applied)) found.add(`${matched.name} ${name}`);
  }
  return [...found].sort();
}

const isForgejo = (file: string) => file.startsWith("forgejo");

describe("what a write asked for", () => {
  it("is compared with its answer, field by field, or the operation says why not", () => {
    const open = placedOperations.flatMap(({ name, operation, path }) => {
      const { method, effect, answers, applied = {} } = operation;
      const { type, fields = {} } = answers as Shape<unknown>;
      if (effect !== "write" || method === "DELETE" || type !== "record") return [];
      const { names = {}, reads = {}, except = {}, answered = [] } = applied as Applied<object>;
      const asked = Object.keys(recordFacts[factsAt(method, path)?.body ?? ""]?.fields ?? {});
      const isKnown = (field: string) =>
        [fields, names, reads, except].some((of) => Object.hasOwn(of, field)) ||
        answered === "all" ||
        answered.includes(field);
      return asked.filter((field) => !isKnown(field)).map((field) => `${name} ${field}`);
    });
    expect(open).toEqual([]);
  });

  it("was not applied in these fields by the Gitea of the recordings", () => {
    expect(ignoredIn((file) => !isForgejo(file))).toMatchInlineSnapshot(`
      [
        "branchProtectionCreate apply_to_admins",
        "branchProtectionCreate bypass_allowlist_teams",
        "branchProtectionCreate bypass_allowlist_usernames",
        "branchProtectionCreate enable_bypass_allowlist",
        "branchProtectionCreate push_whitelist_teams",
        "branchProtectionCreate required_approvals",
        "branchProtectionEdit apply_to_admins",
        "branchProtectionEdit bypass_allowlist_teams",
        "branchProtectionEdit bypass_allowlist_usernames",
        "branchProtectionEdit enable_bypass_allowlist",
        "hookCreate events",
        "issueAttachmentEdit name",
        "issueCreate milestone",
        "issueTimeAdd user_name",
        "milestoneCreate state",
        "milestoneEdit state",
        "milestoneEdit title",
        "pullCreate labels",
        "pullEdit assignees",
        "pullEdit base",
        "pullEdit labels",
        "pullEdit milestone",
        "pullEdit title",
        "releaseCreate hide_archive_links",
        "releaseEdit hide_archive_links",
        "repoEdit allow_merge_update",
        "repoEdit default_branch",
        "repoEdit default_update_style",
        "repoEdit globally_editable_wiki",
        "repoEdit mirror_interval",
        "repoEdit private",
        "repoEdit wiki_branch",
        "teamCreate units",
        "teamCreate visibility",
        "teamEdit visibility",
        "userEdit visibility",
        "userOrgCreate email",
        "userOrgCreate repo_admin_change_team_access",
        "userSettingsEdit colour",
        "userSettingsEdit pronouns",
      ]
    `);
  });

  it("was not applied in these fields by the Forgejo of the recordings", () => {
    expect(ignoredIn(isForgejo)).toMatchInlineSnapshot(`
      [
        "branchProtectionCreate block_admin_merge_override",
        "branchProtectionCreate bypass_allowlist_teams",
        "branchProtectionCreate bypass_allowlist_usernames",
        "branchProtectionCreate enable_bypass_allowlist",
        "branchProtectionCreate enable_force_push",
        "branchProtectionCreate enable_force_push_allowlist",
        "branchProtectionCreate force_push_allowlist_deploy_keys",
        "branchProtectionCreate force_push_allowlist_teams",
        "branchProtectionCreate force_push_allowlist_usernames",
        "branchProtectionCreate priority",
        "branchProtectionEdit block_admin_merge_override",
        "branchProtectionEdit bypass_allowlist_teams",
        "branchProtectionEdit bypass_allowlist_usernames",
        "branchProtectionEdit enable_bypass_allowlist",
        "branchProtectionEdit enable_force_push",
        "branchProtectionEdit enable_force_push_allowlist",
        "branchProtectionEdit force_push_allowlist_deploy_keys",
        "branchProtectionEdit force_push_allowlist_teams",
        "branchProtectionEdit force_push_allowlist_usernames",
        "branchProtectionEdit priority",
        "hookCreate name",
        "hookEdit name",
        "oauthAppCreate skip_secondary_authorization",
        "oauthAppEdit skip_secondary_authorization",
        "pullCreate labels",
        "pullEdit labels",
        "repoEdit allow_merge_update",
        "repoEdit default_update_style",
        "repoEdit projects_mode",
        "teamCreate units",
        "teamCreate visibility",
        "teamEdit visibility",
      ]
    `);
  });

  it.each<[asked: object, record: object, names: string[]]>([
    [{ title: "New" }, { title: "Old" }, ["title"]],
    [{ title: " New \r\n" }, { title: "New" }, []],
    [{ title: "New" }, {}, []],
    [{ title: undefined, body: null }, { title: "Old", body: "x" }, []],
    [{ body: "" }, { body: null }, []],
    [{ private: false }, {}, []],
    [{ private: false }, { private: true }, ["private"]],
    [{ topics: ["B", "a"] }, { topics: ["a", "b"] }, []],
    [{ topics: ["a"] }, { topics: [] }, ["topics"]],
    [{ due: "2026-05-06T07:08:09+02:00" }, { due: "2026-05-06T05:08:09Z" }, []],
    [{ map: { "repo.code": "write", other: 1 } }, { map: { "repo.code": "read" } }, ["map.repo.code"]],
  ])("%j, answered with %j, was not applied in %j", (asked, record, names) => {
    expect(ignoredFields(asked, record, {}).map(({ name }) => name)).toEqual(names);
  });

  it("is not compared where the operation says so, and never shows a secret", () => {
    const applied: Applied<object> = { except: { "config.secret": "a secret" }, answered: ["config"] };
    const asked = { config: { url: "http://x", secret: "not-a-secret", channel: "#quay" } };
    expect(ignoredFields(asked, { config: { url: "http://x" } }, applied)).toEqual([
      { name: "config.channel", requested: "#quay", actual: null },
    ]);
  });

  it("is read in the form in which servers write it", () => {
    const reads = { color: asColor((one: { color?: string }) => one.color), every: asDuration(() => "8h0m0s") };
    expect(ignoredFields({ color: "#ABC", every: "8h" }, { color: "aabbcc" }, { reads })).toEqual([]);
    expect(ignoredFields({ color: "#abd", every: "10m" }, { color: "aabbcc" }, { reads })).toEqual([
      { name: "color", requested: "#abd", actual: "aabbcc" },
      { name: "every", requested: "10m", actual: "8h0m0s" },
    ]);
  });
});
