import { expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { type Handler, serve } from "../../support/server.ts";

const actor = "https://other.example.org/api/v1/activitypub/user-id/15";

/** Follows `@mara@HOST`, a user of a server that answers so. */
async function follow(handler: Handler, labels: readonly string[]) {
  const other = await serve(handler);
  const player = await cassette("forgejo-16-described", labels);
  const ran = await player.run(["follow", "add", `@mara@${new URL(other.url).host}`]);
  await player.close();
  return { ...ran, host: new URL(other.url).host, seen: other.seen };
}

it("follows the actor at an address", async () => {
  const player = await cassette("forgejo-16-described", ["follow a user of another server"]);
  expect((await player.run(["follow", actor])).code).toBe(0);
});

it("asks the other server for the actor of @USER@HOST, without the token", async () => {
  const links = [
    { rel: "profile", href: "https://other.example.org/mara" },
    { rel: "self", href: actor },
  ];
  const { host, seen, ...ran } = await follow(() => ({ body: { links } }), ["follow a user of another server"]);
  expect(ran, ran.stderr).toMatchObject({ code: 0, stderr: expect.stringContaining(`Followed @mara@${host}`) });
  expect(seen[0]?.url).toBe(`/.well-known/webfinger?resource=${encodeURIComponent(`acct:mara@${host}`)}`);
  expect(seen[0]?.headers["authorization"]).toBeUndefined();
});

it.each([
  ["does not know the user", { status: 404 }, 5, "returned 404"],
  ["says nothing of an actor", { body: { links: [] } }, 7, "does not say the address of @mara@"],
  ["answers with another thing", { body: "hello" }, 7, "does not say the address of @mara@"],
  [
    "names no address of the web",
    { body: { links: [{ rel: "self", href: "file:///etc/passwd" }] } },
    7,
    "does not say",
  ],
])("follows nobody if the other server %s", async (_case, answer, code, words) => {
  expect(await follow(() => answer, [])).toMatchObject({ code, stderr: expect.stringContaining(words) });
});

it("a name with one @ is not a user of another server", async () => {
  const player = await cassette("forgejo-16-described", []);
  const ran = await player.run(["follow", "add", "@mara"]);
  expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("Use @USER@HOST") });
});
