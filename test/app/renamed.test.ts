import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { type OnSandbox, onSandbox } from "../commands/on-sandbox.ts";

/** How a thing is made, what renames it, and what is said of it then. */
const renames: readonly (readonly [first: readonly string[], line: readonly string[], said: string])[] = [
  [
    ["label create tide --color ff0000"],
    ["label", "edit", "tide", "--name", "ebb"],
    "Renamed label 'tide' to 'ebb' in mara/harbor (name)",
  ],
  [
    ["milestone create Spring"],
    ["milestone", "edit", "Spring", "--title", "Neap"],
    "Renamed milestone 'Spring' to 'Neap' in mara/harbor (title)",
  ],
  [
    ["branch create topic/one"],
    ["branch", "rename", "topic/one", "topic/two"],
    "Renamed branch topic/one to topic/two in mara/harbor",
  ],
  [
    ["branch protection create swell"],
    ["branch", "protection", "edit", "swell", "--required-approvals", "1"],
    "Updated branch protection 'swell' in mara/harbor (required_approvals)",
  ],
  [
    ["tag protection create v* --whitelist-usernames mara"],
    ["tag", "protection", "edit", "v*", "--name-pattern", "w*"],
    "Renamed tag protection 'v*' to 'w*' in mara/harbor (name_pattern)",
  ],
  [
    ["variable set SPEED --body nine"],
    ["variable", "set", "SPEED", "--name", "KNOTS"],
    "Renamed variable SPEED to KNOTS of mara/harbor",
  ],
  [
    ["org create squadron", "team create squadron/crew"],
    ["team", "edit", "squadron/crew", "--name", "pilots"],
    "Renamed team squadron/crew to squadron/pilots (name)",
  ],
  [["org create fleet"], ["org", "rename", "fleet", "flotilla"], "Renamed organization fleet to flotilla"],
  [
    ["repo create quay"],
    ["repo", "rename", "wharf", "-R", "harbormaster/quay"],
    "Renamed harbormaster/quay to harbormaster/wharf",
  ],
];

describe("the message of a rename", () => {
  let box: OnSandbox;
  beforeAll(async () => {
    box = await onSandbox();
  });
  const env = { TONGS_REPO: "mara/harbor" };

  it.each(renames)("has the old and the new name (%s)", async (first, line, said) => {
    for (const words of first) {
      const ran = await box.run(words.split(" "), { env });
      expect(ran.code, ran.stderr).toBe(0);
    }
    const ran = await box.run(line, { env });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining(`${said} `)]);
  });

  it("has the new name of one's own account, and so has the profile from then on", async () => {
    const cwd = mkdtempSync(join(tmpdir(), "tongs-renamed-"));
    const place = {
      cwd,
      env: { HOME: cwd, TONGS_CONFIG_DIR: join(cwd, "config"), TONGS_HOST: "", TONGS_TOKEN: "" },
    };
    const login = await box.run(["auth", "login", "--host", box.url, "--token-stdin"], {
      ...place,
      stdin: box.token("harbormaster"),
    });
    expect(login.code, login.stderr).toBe(0);
    const ran = await box.run(["user", "rename", "harbormaster", "pilot"], place);
    expect(ran.stderr).toContain(`Renamed user harbormaster to pilot as pilot on ${box.url}; the old name redirects`);
    expect(readFileSync(join(cwd, "config", "config.json"), "utf8")).toContain('"user": "pilot"');
    const back = await box.run(["user", "rename", "pilot", "harbormaster"], place);
    expect(back.stderr).toContain("to harbormaster as harbormaster on");
  });
});
