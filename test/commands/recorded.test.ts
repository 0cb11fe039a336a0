import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { cassette } from "../support/cassette.ts";
import { emptyFolder } from "../support/tongs.ts";

/** Command lines that were run on a Gitea 1.26.0, and what they print. */
const lines: readonly (readonly [line: string, wanted: string])[] = [
  ["comment reaction add 1 heart", "Added reaction heart to comment 1 in mara/harbor"],
  ["comment reaction list 1", "heart\tmara\t"],
  ["gpg-key list --json", "[]\n"],
  ["issue attachment upload 1 lamp.log", "Attached lamp.log (5 B) to mara/harbor#1"],
  ["issue attachment list 1", "1\tlamp.log\t5 B\t"],
  ["issue unsubscribe 1", "Unsubscribed from issue mara/harbor#1"],
  ["issue subscribe 1", "Subscribed to issue mara/harbor#1"],
  ["issue template list", "Bug report\tmarkdown\tSomething is broken\t.gitea/ISSUE_TEMPLATE/bug.md\n"],
  ["repo deploy-key add ci.pub", "Added deploy key 1 (ci) to mara/harbor"],
  ["repo deploy-key list", "1\tci\tread-only\tSHA256:ebv5sCII+Jl727Nh0lq0FosaaaWyQPUV64YnY1sxEuA\t"],
  ["repo deploy-key view 1", "access\tread-only\n"],
  ["repo deploy-key delete 1 --yes", "Deleted deploy key 1 (ci) from mara/harbor"],
  ["repo generate mara/harbor tugboat --git-content", "Created mara/tugboat from mara/harbor"],
  ["repo migrate http://127.0.0.1:3126/mara/harbor.git --repo-name twin --mirror", "to mara/twin on"],
  ["repo mirror pull mara/twin", "Requested an update of mara/twin"],
  ["repo transfer priya -R mara/dinghy --yes", "Requested the transfer of mara/dinghy to priya"],
  ["repo transfer reject mara/dinghy", "Rejected the transfer of mara/dinghy"],
  ["repo transfer start priya -R mara/dinghy --yes", "Requested the transfer of mara/dinghy to priya"],
  ["repo transfer accept mara/dinghy", "Accepted priya/dinghy"],
  ["package download charts@1.0.0", "Downloaded map.txt (10 B) of generic/charts@1.0.0 of mara"],
];

it("commands that the sandbox does not play ask what a Gitea 1.26.0 was asked, and print what it answered", async () => {
  const cwd = emptyFolder();
  const key = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIIwcE1v7rHcMWKF3vxiThs98mCMWuZeAT+53CErDOUo7 ci";
  writeFileSync(join(cwd, "ci.pub"), `${key}\n`);
  writeFileSync(join(cwd, "lamp.log"), "dark\n");
  // The release is asked for where tongs needs it, and kept.
  const made = { "GET /api/v1/version": { version: "1.26.0" } };
  const player = await cassette("gitea-1.26", undefined, { repo: "mara/harbor", made });
  for (const [line, wanted] of lines) {
    const ran = await player.run(line.split(" "), { cwd });
    expect([ran.code, ran.stdout + ran.stderr], line).toEqual([0, expect.stringContaining(wanted)]);
  }
});
