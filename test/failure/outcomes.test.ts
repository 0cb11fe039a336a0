import { describe, expect, it } from "vitest";
import { withHint } from "../../src/failure/failure.ts";
import { outcomes } from "../../src/failure/outcomes.ts";
import { errorFor, NotFoundError } from "../../src/http/errors.ts";

const exchange = { method: "POST", path: "/x", headers: {}, server: "https://example.com" };

describe("outcomes", () => {
  it("exit with 9 for what exists and with 1 for ignored fields", () => {
    expect([outcomes.exists.exit, outcomes.ignored.exit]).toEqual(["refused", "failure"]);
  });

  it("tell a used-up quota from a request that is too large", () => {
    const failure = errorFor({ ...exchange, status: 413, body: { message: "quota exceeded" } });
    expect(failure).toMatchObject({ code: "quota_exceeded", exit: "refused" });
    expect(failure.hint).toContain("tongs api /user/quota");
    expect(errorFor({ ...exchange, status: 413, body: "" })).toMatchObject({ code: "too_large", exit: "failure" });
  });

  it("keep their class, exit code and exchange with another hint", () => {
    const failure = withHint(errorFor({ ...exchange, status: 404, body: "" }), "Look elsewhere.");
    expect(failure).toBeInstanceOf(NotFoundError);
    expect(failure).toMatchObject({ exit: "notFound", hint: "Look elsewhere.", exchange: { status: 404 } });
  });
});
