import { describe, expect, it } from "vitest";
import {
  appliedNames,
  ignoredError,
  ignoredSoFar,
  listsNow,
  noteIgnored,
  requireApplied,
  watchWrites,
} from "../../src/failure/ignored.ts";
import { failureJson } from "../../src/output/report-failure.ts";

const title = { name: "title", requested: "New", actual: "Old" };
const milestone = { name: "milestone", requested: 9007199254740993n, actual: null };

describe("ignored fields", () => {
  it("are a failure with exit 1 that names them, with the hints of their operations", async () => {
    const { value, failure } = await watchWrites(async () => {
      noteIgnored([title], "Ask the owner.");
      noteIgnored([], "Nothing.");
      noteIgnored([milestone], "Ask the owner.");
      return "written";
    }, "issue 3");
    expect(value).toBe("written");
    expect(failure).toMatchObject({
      code: "ignored",
      exit: "failure",
      hint: "Ask the owner.",
      fields: [title, milestone],
      message: "The server did not apply title, milestone to issue 3",
    });
    expect(failureJson(ignoredError([title, milestone])).piped).toContain(
      '"fields":[{"name":"title","requested":"New","actual":"Old"},{"name":"milestone","requested":9007199254740993,"actual":null}]',
    );
  });

  it("say what a list has now, which the write replaced", () => {
    const users = { name: "users", requested: ["mara"] };
    expect(listsNow([{ ...users, actual: [] }, title])).toBe("Now users is empty.");
    expect(listsNow([{ ...users, actual: ["jonas", { login: "priya" }] }])).toBe("Now users has jonas, priya.");
    expect(listsNow([title])).toBeUndefined();
  });

  it("are reported once: by the command that says what they belong to, or after it", async () => {
    const reported = watchWrites(async () => {
      noteIgnored([title]);
      requireApplied("issue 3");
    });
    await expect(reported).rejects.toMatchObject({ message: "The server did not apply title to issue 3" });
    expect(await watchWrites(async () => requireApplied("issue 3"))).toEqual({ value: undefined, so: false });
  });

  it("are not among the names of what was applied", async () => {
    const { value } = await watchWrites(async () => {
      noteIgnored([title]);
      return appliedNames(["title", "body"]);
    });
    expect(value).toEqual(["body"]);
    expect(appliedNames(["title"])).toEqual(["title"]);
  });

  it("belong to the one of several works at once that wrote them", async () => {
    const work = (name: string) =>
      watchWrites(async () => {
        await Promise.resolve();
        noteIgnored([{ ...title, name }]);
        await Promise.resolve();
        return ignoredSoFar().map((field) => field.name);
      });
    const done = await Promise.all(["one", "two"].map(work));
    expect(done.map(({ value }) => value)).toEqual([["one"], ["two"]]);
  });
});
