import { describe, expect, it } from "vitest";
import { serve, type TestServer } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

let server: TestServer;

const uri = "http://127.0.0.1/";
const app = { id: 1, name: "x", client_id: "c", client_secret: "not-a-secret", redirect_uris: [uri] };
const token = { id: 1, name: "ci", sha1: "not-a-secret", token_last_eight: "a-secret", scopes: ["all"] };
const commands = [
  ["user create lena --email lena@example.org --generate-password", "login", "generated_password", {}],
  ["token create ci --scope all --password-stdin", "scopes", "sha1", token],
  ["runner register --user --name edge", "id", "token", { id: 1, uuid: "u", token: "not-a-secret" }],
  [`oauth-app create x --redirect-uri ${uri}`, "id", "client_secret", app],
  ["oauth-app edit 1 --name x --yes", "id", "client_secret", app],
] as const;

describe.each(commands)("a secret that is shown only once: %s", (line, field, secret, made) => {
  const run = async (...form: string[]) => {
    const user = { id: 2, login: "lena", html_url: "http://forge.example/lena", email: "lena@example.org" };
    server = await serve(({ method }) => ({ status: method === "POST" ? 201 : 200, body: { ...user, ...made } }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token" };
    return tongs([...line.split(" "), ...form], { env, stdin: "not-a-secret-either\n" });
  };

  it.each([[["--json", field]], [["--csv", `--json=${field}`]], [["--json", field, "--jq", "."]]])(
    "is not lost by %j: nothing is sent",
    async (form) => {
      const ran = await run(...form);
      expect(ran).toMatchObject({ code: 2, stdout: "" });
      expect(ran.stderr).toContain(`--json must include ${secret}`);
      expect(ran.stderr).toContain(`--json ${field},${secret}`);
      expect(server.seen).toEqual([]);
    },
  );

  it("is printed if it is among the fields, or is left to the filter of --jq", async () => {
    const ran = await run("--json", `${field},${secret}`);
    expect(ran.json(), ran.stderr).toMatchObject({ [secret]: expect.any(String) });
    await server.close();
    const filtered = await run("--jq", `.${secret}`);
    expect([filtered.code, filtered.stdout.trim()], filtered.stderr).toEqual([0, expect.stringMatching(/./)]);
  });
});
