import { describe, expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { unknownRoute } from "../run/forge.ts";

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
});

it.each(levels)("a runner of Forgejo 16 cannot be disabled, which is said truly: %s", async (level, id, flags) => {
  const player = await cassette("forgejo-16-actions", [`${level} runner edit (Gitea only)`]);
  const ran = await player.run(["runner", "disable", id, ...flags]);
  const words = "Available since Gitea 1.26. Forgejo 17.0 does not have it.";
  expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining(words) });
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
});

describe("runner register", () => {
  const made = { "GET /api/v1/orgs/acme": { id: 4, name: "acme", username: "acme" } };

  it.each([
    ["repo runner register", "repo-runner", ["--description", "for the repo", "--ephemeral", "-R", "root1/ci"], 2],
    ["org runner register, second", "org-two", ["--org", "acme"], 5],
    ["user runner register, second", "user-two", ["--user"], 7],
    ["admin runner register, second", "admin-two", ["--admin"], 9],
  ] as const)("prints the file of the runner that the server made: %s", async (label, name, flags, id) => {
    const player = await cassette("forgejo-16-runners", [label], { made });
    const ran = await player.run(["runner", "register", "--name", name, "--label", "docker,host", ...flags]);
    expect(ran, ran.stderr).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Registered runner ${name} of `),
    });
    expect(ran.json()).toEqual({
      id,
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      name,
      token: "<secret>",
      address: player.url,
      labels: ["docker", "host"],
      ephemeral: id === 2,
    });
  });

  it("prints the record with --json, and nothing for a stranger", async () => {
    const player = await cassette("forgejo-16-runners", ["repo runner register by stranger"], { repo: "root1/ci" });
    const ran = await player.run(["runner", "register", "--name", "x", "--json"]);
    expect([ran.code, ran.stdout]).toEqual([4, ""]);
  });

  it("prints the command of a runner that registers itself, where the server makes none", async () => {
    const server = await serve(({ url }) =>
      url.endsWith("/registration-token") ? { body: { token: "not-a-secret" } } : unknownRoute,
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret-either" };
    const line = ["runner", "register", "--user", "--name", "my edge", "--label", "docker", "--ephemeral"];
    const ran = await tongs(line, { env });
    const start = `act_runner register --no-interactive --instance ${server.url} --token not-a-secret`;
    expect(ran).toMatchObject({ code: 0, stdout: `${start} --name 'my edge' --labels docker --ephemeral\n` });
  });

  it("needs a name", async () => {
    const player = await cassette("forgejo-16-runners", []);
    const ran = await player.run(["runner", "register", "--admin"]);
    expect(ran).toMatchObject({ code: 2, stderr: expect.stringContaining("--name is required") });
  });
});

describe("runner jobs", () => {
  const jobs = async (labels: readonly string[], line: readonly string[]) => {
    const player = await cassette("forgejo-16-runners", labels, { repo: "root1/ci" });
    const ran = await player.run(["runner", "jobs", ...line]);
    return ran;
  };

  it("lists what waits for a runner, or for one with a label", async () => {
    const ran = await jobs(["repo runner jobs, one waits"], []);
    expect(ran.stdout).toContain("33\tnobody\twaiting\tno-such-label\t15\n");
    const one = await jobs(["user runner jobs, by its label"], ["--user", "--label", "no-such-label"]);
    expect(one.stdout).toBe("33\tnobody\twaiting\tno-such-label\t15\n");
    const none = await jobs(["org runner jobs, label"], ["--org", "acme", "-l", "no-such-label", "--json"]);
    expect(none.json()).toEqual([]);
    expect((await jobs(["admin runner jobs, one waits"], ["--admin"])).stdout).toContain("33\tnobody");
  });

  it("asks at the older path of the server where there is no other", async () => {
    const server = await serve(
      ({ url }) => (url.endsWith("/version") ? { body: { version: "11.0.0+gitea-1.22.0" } } : { body: null }),
      { saysVersion: true },
    );
    const env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-secret" };
    const ran = await tongs(["runner", "jobs", "--admin", "--json"], { env });
    expect([ran.json(), server.lines()]).toEqual([[], ["GET /api/v1/version", "GET /api/v1/admin/runners/jobs"]]);
  });
});
