import { describe, expect, it } from "vitest";
import { addressAt } from "../../src/http/address.ts";
import { apiPath, path, queryString, typedPath, wildcard } from "../../src/http/path.ts";

describe("a path", () => {
  it("keeps each value in one segment", () => {
    expect(path`/repos/${"a/b"}/${"c?d#e%"}/${7}`).toBe("/repos/a%2Fb/c%3Fd%23e%25/7");
  });

  it.each(["", ".", ".."])("refuses the name '%s'", (name) => {
    expect(() => path`/admin/users/${name}`).toThrow(expect.objectContaining({ exit: "usage" }));
  });

  it("keeps the slashes of a wildcard, and refuses ..", () => {
    expect(wildcard(path`/repos/${"o"}/${"r"}/contents`, "a b/c.md")).toBe("/repos/o/r/contents/a%20b/c.md");
    expect(() => wildcard(path`/x`, "a/../../y")).toThrow(expect.objectContaining({ exit: "usage" }));
    // `branches/` would be the list.
    expect(() => wildcard(path`/repos/${"o"}/${"r"}/branches`, "")).toThrow("Name must not be empty");
  });

  it("is below /api/v1 unless it begins with /api/", () => {
    expect(apiPath(typedPath("version"))).toBe("/api/v1/version");
    expect(apiPath(typedPath("/api/v1/version"))).toBe("/api/v1/version");
    expect(apiPath(typedPath("/api/forgejo/v1/version"))).toBe("/api/forgejo/v1/version");
  });
});

it("a path of a server stays on it, though a URL would take it for another host", () => {
  const base = new URL("https://git.example:8443/prefix");
  for (const [path, wanted] of [
    ["//evil.example/a", "//evil.example/a"],
    ["/\\evil.example/a", "//evil.example/a"],
    ["@evil.example/", "/@evil.example/"],
    [".evil.example/", "/.evil.example/"],
    ["", "/"],
  ] as const)
    expect(addressAt(base, path).href).toBe(`https://git.example:8443${wanted}`);
});

describe("a path of the web pages", () => {
  it("cannot be typed", () => {
    expect(apiPath(typedPath("//attachments/x"))).toBe("/api/v1/attachments/x");
  });
});

describe("a query", () => {
  it("omits undefined parameters and repeats lists", () => {
    expect(queryString({ a: 1, b: undefined, c: ["x", "y z"], d: false })).toBe("?a=1&c=x&c=y+z&d=false");
    expect(queryString({ a: undefined })).toBe("");
  });
});
