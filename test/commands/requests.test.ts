import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { testSandbox } from "../sandbox/with-sandbox.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

const asked: string[] = [];
const sandbox = await testSandbox({ log: (line) => asked.push(line) });
const cwd = emptyFolder();
beforeAll(async () => {
  writeFileSync(join(cwd, "README.md"), "hello\n");
  writeFileSync(join(cwd, "labels.csv"), "name,color\nbug,000001\nkelp,00ff00\n");
  // Asks for the version, which is kept for a day.
  await tongs(["workflow", "list", "-R", "mara/harbor"], { cwd, env: signedIn() });
});

const signedIn = () => ({ TONGS_HOST: sandbox.url, TONGS_TOKEN: sandbox.token("mara") });

/**
 * Every command with the requests that it sends to a new sandbox, in the order of the table. Paths are those below the
 * repository, or below the API if they begin with `//`.
 */
const commands: readonly (readonly [line: string, requests: string])[] = [
  ["issue create --title Fog --body Thick", "GET ; POST /issues"],
  [
    "issue create --title Mist --label bug --assignee jonas --milestone 2",
    "GET /labels; GET /milestones; GET //users/jonas; GET ; POST /issues",
  ],
  [
    "issue create --title Rain --body ![x](README.md) --attach README.md",
    "GET ; GET //settings/attachment; POST /issues; POST /issues/10/assets; PATCH /issues/10",
  ],
  ["issue list", "GET /issues"],
  ["issue list --label bug", "GET /labels; GET /issues"],
  [
    "issue list --label bug --milestone 2 --author jonas",
    "GET /labels; GET /milestones; GET //users/jonas; GET /issues",
  ],
  ["issue list --all", "GET /issues"],
  ["issue list --sort comments", "GET /issues"],
  ["issue list --sort comments --owner mara", "GET //repos/issues/search"],
  ["issue list --owner mara", "GET //repos/issues/search"],
  ["issue list --all-repos --assignee @me", "GET //user; GET //repos/issues/search"],
  ["issue status", "GET //user; GET /issues; GET /issues; GET /issues"],
  ["issue view 8", "GET /issues/8"],
  ["issue view 8 --comments", "GET /issues/8; GET /issues/8/comments"],
  ["issue edit 8 --title Fogs", "GET /issues/8; PATCH /issues/8"],
  [
    "issue edit 8 --add-label bug --add-assignee jonas",
    "GET /issues/8; GET /labels; GET //users/jonas; POST /issues/8/labels; POST /issues/8/assignees",
  ],
  ["issue edit 8 9 --milestone 2", "GET /issues/8; GET /milestones; GET /issues/9; PATCH /issues/8"],
  ["issue edit 8 --remove-label bug --no-milestone", "GET /issues/8; PATCH /issues/8; DELETE /issues/8/labels/1"],
  ["issue comment 8 --body Hm", "POST /issues/8/comments"],
  ["issue close 8", "PATCH /issues/8"],
  ["issue reopen 8", "PATCH /issues/8"],
  [
    "issue close 8 9 --comment Done",
    "PATCH /issues/8; PATCH /issues/9; POST /issues/8/comments; POST /issues/9/comments",
  ],
  ["issue lock 8", "PUT /issues/8/lock"],
  ["issue unlock 8", "DELETE /issues/8/lock"],
  ["comment list 8", "GET /issues/8/comments"],
  ["comment view 7", "GET /issues/comments/7"],
  ["comment edit 7 --body Hmm", "PATCH /issues/comments/7"],
  ["comment delete 7 --yes", "GET /issues/comments/7; DELETE /issues/comments/7"],
  ["issue delete 8 9 --yes", "GET /issues/8; GET /issues/9; DELETE /issues/8; DELETE /issues/9"],
  ["label list", "GET /labels"],
  ["label create tide --color 00aa00", "GET /labels; POST /labels"],
  ["label edit tide --description High", "GET /labels; PATCH /labels/8"],
  ["label import labels.csv", "GET /labels; POST /labels; PATCH /labels/1"],
  ["label delete tide --yes", "GET /labels; DELETE /labels/8"],
  ["milestone list", "GET /milestones"],
  ["milestone create Spring --due 2030-03-01", "GET /milestones; POST /milestones"],
  ["milestone view Spring", "GET /milestones"],
  ["milestone edit Spring --description x", "GET /milestones; PATCH /milestones/3"],
  ["milestone close Spring", "GET /milestones; PATCH /milestones/3"],
  ["milestone reopen Spring", "GET /milestones; PATCH /milestones/3"],
  ["milestone delete Spring --yes", "GET /milestones; DELETE /milestones/3"],
  ["branch list", "GET /branches"],
  ["branch view main", "GET /branches/main"],
  ["branch create late", "POST /branches"],
  ["branch rename late later", "PATCH /branches/late"],
  ["branch update later main", "PUT /branches/later"],
  ["branch protection list", "GET /branch_protections"],
  ["branch protection create later", "POST /branch_protections"],
  ["branch protection view later", "GET /branch_protections/later"],
  [
    "branch protection edit later --required-approvals 1",
    "GET /branch_protections/later; PATCH /branch_protections/later",
  ],
  ["branch protection order later", "GET /branch_protections"],
  ["branch protection delete later --yes", "DELETE /branch_protections/later"],
  ["branch delete later --yes", "GET ; GET /pulls; GET /branches/later; DELETE /branches/later"],
  ["tag list", "GET /tags"],
  ["tag create v9", "POST /tags"],
  ["tag view v9", "GET /tags/v9"],
  ["tag protection create v* --whitelist-usernames mara", "GET /reviewers; POST /tag_protections"],
  ["tag protection list", "GET /tag_protections"],
  ["tag protection view v*", "GET /tag_protections"],
  ["tag protection edit v* --name-pattern w*", "GET /tag_protections; PATCH /tag_protections/1"],
  ["tag protection delete w* --yes", "GET /tag_protections; DELETE /tag_protections/1"],
  ["release create v9 --notes x", "POST /releases"],
  ["release list", "GET /releases"],
  ["release view v9", "GET /releases/tags/v9"],
  ["release edit v9 --title Nine", "GET /releases/tags/v9; PATCH /releases/1"],
  ["release upload v9 README.md", "GET /releases/tags/v9; POST /releases/1/assets"],
  ["release download v9 -D out", "GET /releases/tags/v9; GET /attachments/UUID"],
  ["release delete-asset v9 README.md --yes", "GET /releases/tags/v9; DELETE /releases/1/assets/2"],
  ["release delete v9 --yes", "GET /releases/tags/v9; DELETE /releases/1"],
  ["tag delete v9 --yes", "GET /tags/v9; DELETE /tags/v9"],
  ["file list", "GET /contents"],
  ["file view README.md", "GET /contents/README.md"],
  ["file get README.md -D files", "GET /contents/README.md"],
  ["file put new.txt - -m New", "GET /contents/new.txt; GET ; POST /contents/new.txt"],
  [
    "file commit -m More --put a.txt=README.md --delete new.txt",
    "GET /contents/new.txt; GET /contents/a.txt; GET ; POST /contents",
  ],
  ["file delete a.txt -m Gone --yes", "GET /contents/a.txt; DELETE /contents/a.txt"],
  ["compare main...main", "GET /compare/main...main"],
  ["commit list", "GET /commits"],
  ["commit view main", "GET /git/commits/main"],
  ["commit view main --diff", "GET /git/commits/main; GET /git/commits/SHA.diff"],
  ["commit status set main --state success --context ci", "GET /git/commits/main; POST /statuses/SHA"],
  ["commit status list main", "GET /git/commits/main; GET /commits/SHA/statuses"],
  ["search repo harbor", "GET //repos/search"],
  ["search issue fog", "GET //repos/issues/search"],
  ["search user mara", "GET //users/search"],
  ["browse --no-browser", ""],
];

/** `200 GET /api/v1/repos/mara/harbor/issues` as `GET /issues`, without what differs from run to run. */
function short(line: string): string {
  return line
    .replace(/^\d+ /, "")
    .replace("/api/v1/repos/mara/harbor", "")
    .replace("/api/v1", "/")
    .replace(/[0-9a-f]{40}/, "SHA")
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/, "UUID");
}

describe("the requests of commands for contributors", () => {
  it.each(commands)("tongs %s: %s", async (line, requests) => {
    asked.length = 0;
    const env = { ...signedIn(), TONGS_REPO: "mara/harbor" };
    const ran = await tongs(line.split(" "), { cwd, stdin: "new\n", env });
    expect(ran.code, ran.stderr).toBe(0);
    // Some are sent side by side.
    expect(asked.map(short).sort()).toEqual(requests === "" ? [] : requests.split("; ").sort());
  });
});
