import { describe, expect, it } from "vitest";
import { errorFor, serverWords } from "../../src/http/errors.ts";

const json = { "content-type": "application/json;charset=utf-8" };

function error(status: number, body?: unknown, headers: Readonly<Record<string, string>> = json, method = "GET") {
  return errorFor(
    { method, path: "/api/v1/x?token=not-a-secret", status, headers, body, server: "example.org" },
    "1.25",
  );
}

describe("a refusal", () => {
  it.each([
    [400, "invalid", "invalid"],
    [401, "not_signed_in", "denied"],
    [403, "forbidden", "denied"],
    [404, "not_found", "notFound"],
    [405, "refused", "refused"],
    [409, "refused", "refused"],
    [412, "refused", "refused"],
    [413, "unexpected_status", "failure"],
    [422, "invalid", "invalid"],
    [423, "refused", "refused"],
    [429, "rate_limited", "rateLimited"],
    [500, "server_failed", "serverFailed"],
    [501, "unknown_operation", "notFound"],
    [503, "server_failed", "serverFailed"],
    [599, "server_failed", "serverFailed"],
  ])("with %i has the code %s and the exit %s", (status, code, exit) => {
    expect(error(status, { message: "Why", url: "https://example.org/api/swagger" })).toMatchObject({ code, exit });
  });

  it("names its path without secrets", () => {
    expect(error(404).path).toBe("/api/v1/x?token=***");
  });

  it("tells an operation that the server lacks from a thing that is not there", () => {
    const plain = { "content-type": "text/plain; charset=utf-8" };
    expect(error(404, "404 page not found", plain)).toMatchObject({
      code: "unknown_operation",
      exit: "notFound",
      message: "example.org has no operation GET /api/v1/x",
      hint: "Gitea has it since 1.25.",
    });
    expect(error(405, undefined, { allow: "GET" }, "PUT").code).toBe("unknown_operation");
    expect(error(405, { message: "Please try again later" }).code).toBe("refused");
    expect(error(404, "user does not exist", plain).code).toBe("not_found");
  });

  it("asks whether the address is right when a web page comes with 404", () => {
    const found = error(404, "<html></html>", { "content-type": "text/html; charset=utf-8" });
    expect(found).toMatchObject({ code: "not_found", hint: expect.stringContaining("path prefix") });
  });

  it("carries the server's own name for the request", () => {
    expect(error(500, {}, { ...json, "x-request-id": "abc" }).request).toBe("abc");
  });
});

describe("the server's words", () => {
  it.each([
    ["a message", { message: "user already exists [name: mara]", url: "" }, "user already exists [name: mara]"],
    [
      "the reason beside an internal title",
      { message: "GetUserByName", errors: ["user does not exist"] },
      "user does not exist",
    ],
    [
      "the reason beside a general title",
      { message: "The target couldn't be found.", errors: ["no such team"] },
      "no such team",
    ],
    [
      "the reason of an invisible user",
      { message: "Visit Project", errors: ["user redirect does not exist"] },
      "user redirect does not exist",
    ],
    ["the message where the errors are empty", { message: "not found", errors: [] }, "not found"],
    ["the message where the errors are null", { message: "GetUserByName", errors: null }, "GetUserByName"],
    ["nothing of a broken format", { message: "%!s(<nil>)" }, ""],
    ["the key error in place of message", { error: "unknown owner" }, "unknown owner"],
    ["a bare JSON string", "CrossRepositoryDependencies not enabled", "CrossRepositoryDependencies not enabled"],
    ["plain text", "Internal Server Error\nmore", "Internal Server Error"],
    ["nothing of a web page", " <!DOCTYPE html><p>Oops", ""],
    ["nothing of an empty message", { message: "" }, ""],
    ["nothing of nothing", undefined, ""],
    ["nothing of null", null, ""],
    [
      "what git says of a conflict",
      { Style: "merge", StdOut: "Auto-merging a\nCONFLICT (content): Merge conflict in a\n", StdErr: "", Err: {} },
      "CONFLICT (content): Merge conflict in a",
    ],
    [
      "what git says of a refused merge",
      { Style: "merge", StdOut: "", StdErr: "fatal: refusing to merge unrelated histories\n", Err: {} },
      "refusing to merge unrelated histories",
    ],
    [
      "what git says of a rebase",
      { StdErr: "Rebasing (1/2)\rerror: could not apply 8c703df... Wrong Thursday\nhint: …", CommitSHA: "8c70" },
      "could not apply 8c703df... Wrong Thursday",
    ],
  ])("are %s", (_what, body, words) => {
    expect(serverWords(body)).toBe(words);
  });
});
