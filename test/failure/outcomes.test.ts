import { describe, expect, it } from "vitest";
import { withHint } from "../../src/failure/failure.ts";
import { outcomes } from "../../src/failure/outcomes.ts";
import { outcomeOfStatus } from "../../src/failure/statuses.ts";
import { errorFor, NotFoundError } from "../../src/http/errors.ts";

const exchange = { method: "POST", path: "/x", headers: {}, server: "https://example.com" };

describe("outcomes", () => {
  it("exit with 9 for what exists and with 1 for ignored fields", () => {
    expect([outcomes.exists.exit, outcomes.ignored.exit]).toEqual(["refused", "failure"]);
  });

  it.each([
    [400, "invalid"],
    [401, "not_signed_in"],
    [413, "too_large"],
    [423, "archived"],
    [501, "unknown_operation"],
    [502, "server_failed"],
    [302, "unexpected_status"],
  ])("are known for each status: %i is %s", (status, code) => {
    expect(outcomeOfStatus(status)).toBe(code);
  });

  it("tell a used-up quota from a request that is too large", () => {
    const failure = errorFor({ ...exchange, status: 413, body: { message: "quota exceeded" } });
    expect(failure).toMatchObject({ code: "quota_exceeded", exit: "refused" });
    expect(failure.hint).toContain("tongs quota view");
    expect(errorFor({ ...exchange, status: 413, body: "" })).toMatchObject({ code: "too_large", exit: "failure" });
  });

  it("keep their class, exit code and exchange with another hint", () => {
    const failure = withHint(errorFor({ ...exchange, status: 404, body: "" }), "Look elsewhere.");
    expect(failure).toBeInstanceOf(NotFoundError);
    expect(failure).toMatchObject({ exit: "notFound", hint: "Look elsewhere.", exchange: { status: 404 } });
  });
});
