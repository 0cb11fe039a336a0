import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";

const callback = "http://127.0.0.1:18085/callback";
const client = "80fce2aa-04a1-4156-b015-6360e3ee6881";
const created = "oauth2 applications: create a confidential one: 201";
const viewed = "oauth2 applications: view: the secret is empty: 200";
const edited = "oauth2 applications: edit: gives a new secret each time: 200";

describe("oauth-app", () => {
  it("creates an application and prints the client ID and the secret", async () => {
    const player = await cassette("keys-apps", [created]);
    const ran = await player.run(["oauth-app", "create", "board", "--redirect-uri", callback]);
    expect([ran.code, ran.stdout]).toEqual([0, `${client}\n<secret>\n`]);
    expect(ran.stderr).not.toContain("<secret>");
  });

  it("lists applications, and views one without its secret", async () => {
    const player = await cassette("keys-apps", ["oauth2 applications: list: the secret is empty: 200", viewed]);
    const listed = await player.run(["oauth-app", "list"]);
    expect(listed.stdout).toContain(`10\tboard\t${client}\tconfidential\t${callback}\t`);
    const one = await player.run(["oauth-app", "view", "10"]);
    expect(one.stdout).toContain(`client id\t${client}`);
  });

  it("edits an application, keeps its other fields, and says that the old secret is gone", async () => {
    const player = await cassette("keys-apps", [viewed, viewed, edited]);
    const flags = ["--name", "notice board", "--add-redirect-uri", "http://127.0.0.1:18085/other"];
    const unasked = await player.run(["oauth-app", "edit", "10", ...flags], { terminal: true, answers: [false] });
    expect([unasked.code, unasked.asked]).toEqual([
      3,
      ["Replace the client secret of application 10 (board) (cannot be undone)?"],
    ]);
    const ran = await player.run(["oauth-app", "edit", "10", ...flags, "--json", "--yes"]);
    expect(ran.json()).toMatchObject({ id: 10, name: "notice board", client_secret: "<secret>" });
    expect(ran.stderr).toContain("the old one no longer works");
  });

  it("says that the server ignored a setting, after the secret was printed", async () => {
    const app = { id: 1, name: "x", client_id: "c", client_secret: "not-a-secret", confidential_client: true };
    const server = await serve(() => ({ status: 201, body: app }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const line = ["oauth-app", "create", "x", "--redirect-uri", callback, "--skip-secondary-authorization"];
    const ran = await tongs(line, { env });
    expect([ran.code, ran.stdout]).toEqual([1, "c\nnot-a-secret\n"]);
    expect(ran.stderr).toContain("did not apply skip_secondary_authorization");
    const other = await tongs([...line.slice(0, 5), "--no-skip-secondary-authorization"], { env });
    expect(other.code).toBe(0);
  });

  it("removes and replaces redirect URIs", async () => {
    const bodies: unknown[] = [];
    const app = { id: 1, name: "x", client_id: "c", client_secret: "not-a-secret", redirect_uris: [callback, "a:b"] };
    const server = await serve((seen) => {
      if (seen.method !== "GET") bodies.push(JSON.parse(seen.body));
      return { body: app };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    await tongs(["oauth-app", "edit", "1", "--remove-redirect-uri", "a:b", "--yes"], { env });
    await tongs(["oauth-app", "edit", "1", "--redirect-uri", "https://x.example.org/a,b", "--yes"], { env });
    expect(bodies).toEqual([
      { name: "x", redirect_uris: [callback] },
      { name: "x", redirect_uris: ["https://x.example.org/a,b"] },
    ]);
  });

  it("sends nothing that is so already, asks nothing, and keeps the secret", async () => {
    const app = { id: 1, name: "x", client_id: "c", client_secret: "", redirect_uris: [callback], created: "" };
    const methods: string[] = [];
    const server = await serve(({ method }) => {
      methods.push(method);
      return { body: app };
    });
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const flags = ["--name", "x", "--redirect-uri", callback, "--no-skip-secondary-authorization"];
    for (const line of [["--remove-redirect-uri", "http://127.0.0.1/none"], ["--add-redirect-uri", callback], flags]) {
      const ran = await tongs(["oauth-app", "edit", "1", ...line], { env });
      expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Application 1 (x) already had this")]);
    }
    expect(methods.filter((method) => method !== "GET")).toEqual([]);
  });

  it("refuses what is not a URI, and an edit without a change, before anything is sent", async () => {
    const player = await cassette("keys-apps", []);
    const bad = await player.run(["oauth-app", "create", "x", "--redirect-uri", "nowhere"]);
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining("not 'nowhere'")]);
    expect((await player.run(["oauth-app", "create", "x"])).stderr).toContain("--redirect-uri is required");
    expect((await player.run(["oauth-app", "edit", "10"])).code).toBe(2);
    expect(player.lines()).toEqual([]);
  });

  it("deletes the other applications if one is unknown, and exits 11", async () => {
    const labels = ["oauth2 applications: delete: 204", "oauth2 applications: delete an unknown one: 404"];
    const player = await cassette("keys-apps", labels);
    const ran = await player.run(["oauth-app", "delete", "15", "99999", "--yes"]);
    expect([ran.code, ran.stderr]).toEqual([11, expect.stringContaining("Deleted application 15")]);
  });

  it("fails if the server does not return a secret", async () => {
    const server = await serve(() => ({ status: 201, body: { id: 1, name: "x", client_id: "c", client_secret: "" } }));
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["oauth-app", "create", "x", "--redirect-uri", callback], { env });
    expect([ran.code, ran.stderr]).toEqual([7, expect.stringContaining("did not return the client secret")]);
  });
});
