import { expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";

const levels: readonly (readonly [level: string, id: string, flags: readonly string[]])[] = [
  ["repo", "2", ["-R", "root1/ci"]],
  ["org", "4", ["--org", "acme"]],
  ["user", "6", ["--user"]],
  ["admin", "8", ["--admin"]],
];

it.each(levels)("runners of Forgejo 16 are listed, viewed and deleted: %s", async (level, id, flags) => {
  const labels = [`${level} runners after`, `${level} runner view`, `${level} runner view`, `${level} runner delete`];
  const made = { "GET /api/v1/orgs/acme": { id: 4, name: "acme", username: "acme" } };
  const player = await cassette("forgejo-16-actions", labels, { made });
  const listed = await player.run(["runner", "list", ...flags]);
  expect(listed, listed.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining(`\toffline\t\n`) });
  const viewed = await player.run(["runner", "view", id, ...flags]);
  expect(viewed, viewed.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("state\toffline\n") });
  const record = (await player.run(["runner", "view", id, ...flags, "--json"])).json();
  expect(record).toMatchObject({ id: Number(id), labels: null, status: "offline", description: expect.any(String) });
  expect((await player.run(["runner", "delete", id, ...flags, "--yes"])).code).toBe(0);
  await player.close();
});

it.each(levels)("a runner of Forgejo 16 cannot be disabled, which is said truly: %s", async (level, id, flags) => {
  const player = await cassette("forgejo-16-actions", [`${level} runner edit (Gitea only)`]);
  const ran = await player.run(["runner", "disable", id, ...flags]);
  const words = "Available since Gitea 1.26. Forgejo 16.0 does not have it.";
  expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining(words) });
  await player.close();
});

it("runners of Forgejo 16 have labels that are texts, and are idle or active", async () => {
  const labels = ["admin runners", "admin runners, one active", "admin runners", "admin runner view, active"];
  const player = await cassette("forgejo-16-actions", labels);
  const list = ["runner", "list", "--admin"];
  expect((await player.run(list)).stdout).toBe("1\tr16\tidle\thost, ubuntu-latest\n");
  expect((await player.run(list)).stdout).toContain("1\tr16\tactive\thost, ubuntu-latest\n");
  expect((await player.run([...list, "--json", "labels,version"])).json()).toEqual([
    { labels: ["host", "ubuntu-latest"], version: "v1.0.8" },
  ]);
  const viewed = await player.run(["runner", "view", "1", "--admin"]);
  expect(viewed.stdout).toContain("state\tactive\nlabels\thost, ubuntu-latest\n");
  await player.close();
});
