import { describe, expect, it } from "vitest";
import { contextPattern } from "../../../src/text/glob.ts";

describe("a pattern of required checks", () => {
  it.each([
    ["lint", "lint", true],
    ["lint", "lint2", false],
    ["ci/*", "ci/test / build (push)", true],
    ["*", "a/b/c", true],
    ["ci/**", "ci/a/b", true],
    ["c?", "ci", true],
    ["c?", "c", false],
    ["[ab]-x", "b-x", true],
    ["[!ab]-x", "b-x", false],
    ["[a-c]x", "bx", true],
    ["{linux,mac} test", "mac test", true],
    ["{linux,mac} test", "win test", false],
    ["a.b", "axb", false],
    ["test (push)", "test (push)", true],
    ["a\\*b", "a*b", true],
    ["a\\*b", "axb", false],
    ["{open", "{open", true],
    ["[open", "[open", true],
    ["[z-a]", "[z-a]", true],
  ])("'%s' for '%s' is %s", (glob, context, fits) => {
    expect(contextPattern(glob)(context)).toBe(fits);
  });
});
