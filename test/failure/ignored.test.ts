import { describe, expect, it } from "vitest";
import {
  appliedNames,
  ignoredError,
  ignoredSoFar,
  nameWork,
  noteIgnored,
  trackWrites,
} from "../../src/failure/ignored.ts";
import { failureJson } from "../../src/output/report-failure.ts";

const title = { name: "title", requested: "New", actual: "Old" };
const milestone = { name: "milestone", requested: 9007199254740993n, actual: null };

describe("ignored fields", () => {
  it("are a failure with exit 1 that names them, with the hints of their operations", async () => {
    const { value, failure } = await trackWrites(async () => {
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

  it("say what a list has now, which the write replaced", async () => {
    const users = { name: "users", requested: ["mara"] };
    const hintOf = async (actual: unknown) =>
      (await trackWrites(async () => noteIgnored([{ ...users, actual }, title]))).failure?.hint;
    expect(await hintOf([])).toContain("Now users is empty.");
    expect(await hintOf(["jonas", { login: "priya" }])).toContain("Now users has jonas, priya.");
  });

  it("are reported once, for what the work is about", async () => {
    const work = async () => {
      nameWork("issue 3");
      noteIgnored([title]);
    };
    const { failure } = await trackWrites(() => trackWrites(work).then((inner) => inner.failure));
    expect(failure).toBeUndefined();
    const reported = (await trackWrites(work)).failure;
    expect(reported).toMatchObject({ message: "The server did not apply title to issue 3" });
    expect(await trackWrites(async () => nameWork("issue 3"))).toEqual({ value: undefined, unchanged: false });
  });

  it("are not among the names of what was applied", async () => {
    const { value } = await trackWrites(async () => {
      noteIgnored([title]);
      return appliedNames(["title", "body"]);
    });
    expect(value).toEqual(["body"]);
    expect(appliedNames(["title"])).toEqual(["title"]);
  });

  it("belong to the one of several works at once that wrote them", async () => {
    const work = (name: string) =>
      trackWrites(async () => {
        await Promise.resolve();
        noteIgnored([{ ...title, name }]);
        await Promise.resolve();
        return ignoredSoFar().map((field) => field.name);
      });
    const done = await Promise.all(["one", "two"].map(work));
    expect(done.map(({ value }) => value)).toEqual([["one"], ["two"]]);
  });
});
