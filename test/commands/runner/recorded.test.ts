import { expect, it } from "vitest";
import { cassette } from "../../support/cassette.ts";

it.each([
  ["the repository, by POST as on Gitea", "the repository", ["-R", "omara/harbor"]],
  ["the organization, by POST as on Gitea", "the organization", ["--org", "opier"]],
  ["the user, by POST as on Gitea", "the user", ["--user"]],
  ["the instance under Gitea's address", "the instance", ["--admin"]],
])("the registration token is read from a server that has only GET for it (%s)", async (post, level, flags) => {
  const token = "runners: registration token of";
  const player = await cassette("forgejo-runners", [`${token} ${post}`, `${token} ${level}, by GET`]);
  const ran = await player.run(["runner", "token", ...flags, "--json"]);
  expect([ran.code, ran.json()]).toEqual([0, { token: "<secret>" }]);
});
