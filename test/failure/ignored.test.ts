import { describe, expect, it } from "vitest";
import { appliedNames, ignoredError, ignoredFields, requireApplied } from "../../src/failure/ignored.ts";
import { failureJson } from "../../src/output/report-failure.ts";

describe("ignored fields", () => {
  it("are those that the record has otherwise, or not at all", () => {
    const asked = { title: "New", private: true, units: ["Code", "wiki"], theme: "dark", website: undefined };
    const record = { title: "Old", private: true, units: ["wiki", "code"], website: "https://example.org" };
    expect(ignoredFields(asked, record)).toEqual([
      { name: "title", asked: "New", is: "Old" },
      { name: "theme", asked: "dark", is: null },
    ]);
  });

  it("are read where the record has them", () => {
    const record = { milestone: { id: 8 } };
    const read = { milestone: ({ milestone }: typeof record) => milestone.id };
    expect(ignoredFields({ milestone: 8 }, record, read)).toEqual([]);
    expect(ignoredFields({ milestone: 9 }, record, read)).toEqual([{ name: "milestone", asked: 9, is: 8 }]);
  });

  it("are not among the names of what was applied", () => {
    expect(appliedNames(["title", "body"], [{ name: "body", asked: "x", is: "" }])).toEqual(["title"]);
  });

  it("are a failure with exit 1 that names them", () => {
    const fields = [
      { name: "title", asked: "New", is: "Old" },
      { name: "milestone", asked: 9007199254740993n, is: null },
    ];
    expect(() => requireApplied([], "issue 3")).not.toThrow();
    expect(() => requireApplied(fields, "issue 3", "Ask the owner.")).toThrow(
      expect.objectContaining({
        code: "ignored",
        exit: "failure",
        hint: "Ask the owner.",
        fields,
        message: "The server did not apply title, milestone to issue 3",
      }),
    );
    expect(failureJson(ignoredError(fields, "issue 3")).piped).toContain(
      '"fields":[{"name":"title","asked":"New","is":"Old"},{"name":"milestone","asked":9007199254740993,"is":null}]',
    );
  });
});
