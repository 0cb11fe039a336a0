import { describe, expect, it } from "vitest";
import { errorFor, NotFoundError, serverMessage } from "../../src/http/errors.ts";

const json = { "content-type": "application/json;charset=utf-8" };

function error(status: number, body?: unknown, headers: Readonly<Record<string, string>> = json, method = "GET") {
  return errorFor({ method, path: "/api/v1/x?token=not-a-secret", status, headers, body, server: "example.org" });
}

describe("an error response", () => {
  it.each([
    [400, "invalid", "invalid"],
    [401, "not_signed_in", "denied"],
    [403, "forbidden", "denied"],
    [404, "not_found", "notFound"],
    [405, "refused", "refused"],
    [409, "refused", "refused"],
    [412, "refused", "refused"],
    [413, "too_large", "failure"],
    [418, "unexpected_status", "failure"],
    [422, "invalid", "invalid"],
    [423, "archived", "refused"],
    [429, "rate_limited", "rateLimited"],
    [500, "server_failed", "serverFailed"],
    [501, "unknown_operation", "notFound"],
    [503, "server_failed", "serverFailed"],
    [599, "server_failed", "serverFailed"],
  ])("with %i has the code %s and the exit %s", (status, code, exit) => {
    expect(error(status, { message: "Why", url: "https://example.org/api/swagger" })).toMatchObject({ code, exit });
  });

  it("has its path with secrets masked", () => {
    expect(error(404).path).toBe("/api/v1/x?token=***");
  });

  it("is unknown_operation if the server does not have the operation, otherwise not_found", () => {
    const plain = { "content-type": "text/plain; charset=utf-8" };
    expect(error(404, "404 page not found", plain)).toMatchObject({
      code: "unknown_operation",
      exit: "notFound",
      message: "example.org does not support GET /api/v1/x",
      hint: "The server may be an older release or another product.",
    });
    expect(error(405, undefined, { allow: "GET" }, "PUT").code).toBe("unknown_operation");
    expect(error(405, { message: "Please try again later" }).code).toBe("refused");
    expect(error(404, "user does not exist", plain).code).toBe("not_found");
  });

  it("has a hint to check the address for a 404 with a web page", () => {
    const found = error(404, "<html></html>", { "content-type": "text/html; charset=utf-8" });
    expect(found).toMatchObject({ code: "not_found", hint: expect.stringContaining("path prefix") });
  });

  it("is a missing record with exit 5, whatever its status is, if a function found that out", () => {
    const { exchange } = error(422, { message: "user does not exist [uid: 0, name: nobody]" });
    expect(new NotFoundError(exchange, "User nobody not found").exit).toBe("notFound");
  });

  it.each([
    [400, "user does not exist [uid: 0, name: nobody]", "user nobody does not exist"],
    [422, "Assignee does not exist: [name: user does not exist [uid: 0, name: nobody]]", "user nobody does not exist"],
    [
      409,
      "repository is already forked by user [uname: jonas, repo path: mara/a, fork path: jonas/a]",
      "mara/a is already forked as jonas/a",
    ],
    [409, "repository already exists [uname: lee, name: a]", "lee/a already exists"],
    [422, "reject your own pull is not allowed", "you cannot reject your own pull request"],
    [403, "user should be the site admin", "your account is not that of an administrator"],
  ])("has words for a message with internals of the server: %i %s", (status, message, words) => {
    const found = error(status, { message });
    expect(found.message).toMatch(new RegExp(`: ${words}$`));
    expect(found.serverMessage).toBe(message);
  });

  it("says what is too large: the reason of the server, or the request itself", () => {
    expect(error(413, { message: "quota exceeded" }).message).toBe("example.org refused the request: quota exceeded");
    const proxy = error(413, "<html><h1>413 Request Entity Too Large</h1></html>", { "content-type": "text/html" });
    expect(proxy).toMatchObject({ message: "The request is too large for example.org", exit: "failure" });
  });

  it.each([
    [400, "access token name has been used already"],
    [403, "Branch protection already exist"],
    [409, "The branch already exists."],
    [422, "user already exists [name: mara]"],
    [422, "e-mail already in use [email: m@example.org]"],
    [422, "Key title has been used"],
    [422, "The username is already taken."],
  ])("is what exists already, with exit 9: %i %s", (status, message) => {
    const refused = { code: "exists", exit: "refused", message: `The server refused the request: ${message}` };
    expect(error(status, { message })).toMatchObject(refused);
  });

  it("suggests an administrator account only if the operation needs one", () => {
    expect(error(403, { message: "user should be the site admin" }).hint).toContain("site administrator account");
    const prohibited = "This account is prohibited from signing in, please contact your site administrator.";
    expect(error(403, { message: prohibited }).hint).toBeUndefined();
    expect(
      error(403, { message: "User must be a repo or site admin to rename default branches." }).hint,
    ).toBeUndefined();
  });

  it.each([
    ["[Name]: AlphaDashDot", "Name can only contain letters, digits, '-', '_' and '.'"],
    ["[Website]: Url", "Website is not a valid URL"],
    ["PasswordIsRequired", "the password is missing, or too short or too simple for the server"],
    ["[Value]: toString", "[Value]: toString"],
    ["[BranchFilter]: failed to compile regexp", "[BranchFilter]: failed to compile regexp"],
  ])("says what the validation %s means", (message, words) => {
    expect(error(422, { message }).message).toBe(`The server rejected the request as invalid: ${words}`);
  });

  it("has the request ID", () => {
    expect(error(500, {}, { ...json, "x-request-id": "abc" }).request).toBe("abc");
  });
});

describe("the message of an error", () => {
  it.each([
    ["a message", { message: "user already exists [name: mara]", url: "" }, "user already exists [name: mara]"],
    [
      "errors instead of an internal name",
      { message: "GetUserByName", errors: ["user does not exist"] },
      "user does not exist",
    ],
    [
      "errors instead of a generic message",
      { message: "The target couldn't be found.", errors: ["no such team"] },
      "no such team",
    ],
    [
      "the error for a hidden user",
      { message: "Visit Project", errors: ["user redirect does not exist"] },
      "user redirect does not exist",
    ],
    [
      "errors instead of Not Found",
      { message: "Not Found", errors: ["keys are switched off"] },
      "keys are switched off",
    ],
    [
      "the reason after an internal name",
      { message: "GetPackageByName: package does not exist" },
      "package does not exist",
    ],
    ["the message if errors is empty", { message: "not found", errors: [] }, "not found"],
    ["the message if errors is null", { message: "GetUserByName", errors: null }, "GetUserByName"],
    ["empty for a failed Go format", { message: "%!s(<nil>)" }, ""],
    ["the field error", { error: "unknown owner" }, "unknown owner"],
    ["the field Message", { Message: "time tracking is disabled" }, "time tracking is disabled"],
    ["a JSON string", "CrossRepositoryDependencies not enabled", "CrossRepositoryDependencies not enabled"],
    ["plain text", "Internal Server Error\nmore", "Internal Server Error"],
    ["empty for a web page", " <!DOCTYPE html><p>Oops", ""],
    ["empty for an empty message", { message: "" }, ""],
    ["empty without a body", undefined, ""],
    ["empty for null", null, ""],
    [
      "git's output for a conflict",
      { Style: "merge", StdOut: "Auto-merging a\nCONFLICT (content): Merge conflict in a\n", StdErr: "", Err: {} },
      "CONFLICT (content): Merge conflict in a",
    ],
    [
      "git's output for a failed merge",
      { Style: "merge", StdOut: "", StdErr: "fatal: refusing to merge unrelated histories\n", Err: {} },
      "refusing to merge unrelated histories",
    ],
    [
      "git's output for a failed rebase",
      { StdErr: "Rebasing (1/2)\rerror: could not apply 8c703df... Wrong Thursday\nhint: …", CommitSHA: "8c70" },
      "could not apply 8c703df... Wrong Thursday",
    ],
  ])("is %s", (_what, body, words) => {
    expect(serverMessage(body)).toBe(words);
  });
});
