import { describe, expect, it } from "vitest";
import { type Handler, serve, type TestServer } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

let server: TestServer | undefined;

async function on(handler: Handler, argv: readonly string[], options = {}) {
  server = await serve(handler, options);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
  return tongs(argv, { env });
}

const dock = { id: 2, name: "dock-1", status: "online", busy: true, disabled: false, labels: [{ name: "linux" }] };
const token = { body: { token: "not-a-secret" } };

describe("tongs runner", () => {
  it("prints the token that POST returns", async () => {
    const ran = await on(() => token, ["runner", "token", "--org", "northsea"]);
    expect(ran).toMatchObject({ code: 0, stdout: "not-a-secret\n" });
    expect(server?.lines()).toEqual(["POST /api/v1/orgs/northsea/actions/runners/registration-token"]);
  });

  it("says that the repository is not there where only GET is an operation", async () => {
    const gone = { status: 404, body: { message: "The target couldn't be found." } };
    const handler: Handler = ({ method }) => (method === "POST" ? { status: 405, headers: { allow: "GET" } } : gone);
    const ran = await on(handler, ["runner", "token"]);
    expect([ran.code, ran.stderr]).toEqual([5, expect.stringContaining("Repository mara/harbor not found")]);
    expect(ran.stderr).not.toContain("does not support");
  });

  it("lists runners with their labels", async () => {
    const ran = await on(() => ({ body: { runners: [dock], total_count: 1 } }), ["runner", "list", "--admin"]);
    expect(ran).toMatchObject({ code: 0, stdout: "2\tdock-1\tbusy\tlinux\n" });
  });

  it("lists only the disabled ones where runners can be disabled, and asks no older server", async () => {
    const disabled = { ...dock, busy: false, disabled: true };
    const listed = { body: { runners: [disabled], total_count: 1 } };
    const answers =
      (version: string): Handler =>
      ({ url }) =>
        url.endsWith("/version") ? { body: { version } } : listed;
    const ran = await on(answers("1.26.0"), ["runner", "list", "--admin", "--disabled"], { saysVersion: true });
    expect(ran).toMatchObject({ code: 0, stdout: "2\tdock-1\tonline, disabled\tlinux\n" });
    expect(server?.lines()).toContainEqual(expect.stringContaining("/admin/actions/runners?disabled=true"));
    const older = await on(answers("1.25.4"), ["runner", "list", "--admin", "--no-disabled"], { saysVersion: true });
    expect(older).toMatchObject({ code: 5, stderr: expect.stringContaining("--disabled needs Gitea 1.26") });
    expect(server?.lines()).toEqual(["GET /api/v1/version"]);
  });

  it("disables several runners, and exits with 11 if one failed", async () => {
    const handler: Handler = ({ url }) =>
      url.endsWith("/9")
        ? { status: 404, body: { message: "runner with id 9: resource does not exist" } }
        : { body: { ...dock, disabled: true } };
    expect((await on(handler, ["runner", "disable", "2", "9", "--user"])).code).toBe(11);
    expect(server?.seen[0]).toMatchObject({ method: "PATCH", body: '{"disabled":true}' });
  });
});
