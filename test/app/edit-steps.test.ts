import { describe, expect, it } from "vitest";
import { runSteps } from "../../src/app/edit-steps.ts";
import { Failure } from "../../src/failure/failure.ts";
import { noteIgnored } from "../../src/failure/ignored.ts";

const done = async () => {};
const fails = (failure: Failure) => async () => {
  throw failure;
};

describe("the requests of an edit", () => {
  it("are reported with what they changed, names of labels as they are", async () => {
    const steps = [
      { what: ["title", "due date"], run: done },
      { what: ["label my_label"], run: done },
    ];
    expect(await runSteps(steps, "mara/harbor#1", String)).toEqual({
      changed: ["title", "due date", "label my_label"],
    });
  });

  it("are reported without the fields that the server ignored", async () => {
    const fields = [{ name: "due_date", requested: "2026-12-24", actual: null }];
    const steps = [
      { what: ["title", "due date"], run: async () => noteIgnored(fields, "You need write access.") },
      { what: ["labels"], run: fails(new Failure("forbidden", "No")) },
    ];
    const { changed, failure } = await runSteps(steps, "mara/harbor#1", String);
    expect(changed).toEqual(["title"]);
    expect(failure).toMatchObject({ message: "The server did not apply due_date to mara/harbor#1", fields });
  });

  it("say what was changed before one of them failed", async () => {
    const failure = new Failure("forbidden", "No");
    const steps = [
      { what: ["title"], run: done },
      { what: ["labels"], run: fails(failure) },
    ];
    await expect(runSteps(steps, "mara/harbor#1", (error) => error)).rejects.toMatchObject({
      hint: "Already changed: title",
    });
    await expect(runSteps(steps.slice(1), "mara/harbor#1", (error) => error)).rejects.toBe(failure);
  });
});
