import { describe, expect, it } from "vitest";
import { type Handler, type Reply, serve, type TestServer } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

let server: TestServer | undefined;

async function run(handler: Handler, line: string) {
  server = await serve(handler);
  const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret", TONGS_REPO: "mara/harbor" };
  return tongs(line.split(" "), { env });
}

const team = { id: 7, name: "pilots" };

/** What the other requests of the commands find; `answer` is for the check itself. */
const around =
  (answer: Reply): Handler =>
  ({ url }) => {
    const [path = ""] = url.split("?");
    if (path.endsWith("/teams/search")) return { body: { data: [team] } };
    if (path.endsWith("/orgs/tidewater")) return { body: { id: 3, name: "tidewater" } };
    return answer;
  };

const page = { headers: { "content-type": "text/html" }, body: "<html><title>Sign in</title></html>" };

/** Each check, and the answer that means yes. */
const checks: readonly (readonly [line: string, yes: Reply])[] = [
  ["repo collaborator check jonas", { status: 204 }],
  ["org member check tidewater jonas", { status: 204 }],
  ["org member check tidewater jonas --public", { status: 204 }],
  ["org block check tidewater jonas", { status: 204 }],
  ["star check mara/harbor", { status: 204 }],
  ["follow check jonas", { status: 204 }],
  ["follow check jonas --by mara", { status: 204 }],
  ["pr merged 12", { status: 204 }],
  ["team member check tidewater/pilots jonas", { body: { id: 2, login: "Jonas" } }],
  ["team repo check tidewater/pilots charts", { body: { id: 5, full_name: "Tidewater/charts" } }],
  ["repo team check pilots", { body: team }],
];

describe.each(checks)("%s", (line, yes) => {
  it("is yes to the documented answer", async () => {
    expect(await run(around(yes), line)).toMatchObject({ code: 0, stderr: expect.not.stringContaining("✗") });
  });

  it.each([
    ["the web page of a sign-in", page, "returned an HTML page titled “Sign in” (text/html)"],
    ["an empty body", { body: "" }, ""],
    ["a record of something else", { body: { id: 9, login: "lena", name: "crew", full_name: "lena/crew" } }, ""],
    ["a list", { body: [] }, ""],
  ])("is neither yes nor no to 200 with %s", async (_what, answer, why) => {
    const ran = await run(around(answer), line);
    expect(ran).toMatchObject({ code: 7, stdout: "", stderr: expect.stringContaining(why) });
  });

  it("is not no to 404 with a web page", async () => {
    const ran = await run(around({ ...page, status: 404 }), line);
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("The server returned a web page.") });
  });
});

it("asks about the name that the server redirects to", async () => {
  const ran = await run((seen) => {
    if (seen.url.endsWith("/members/jonas")) {
      return { status: 307, headers: { location: seen.url.replace("jonas", "jonas-two") } };
    }
    return around({ body: { id: 2, login: "jonas-two" } })(seen, undefined as never, undefined as never);
  }, "team member check tidewater/pilots jonas");
  expect(ran.code).toBe(0);
});
