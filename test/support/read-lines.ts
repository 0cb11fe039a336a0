import { join } from "node:path";

/** What follows the name of a read command: its arguments on the sandbox, or on a cassette. */
export type ReadLine = readonly string[] | RecordedLine;

/** A command line whose answers are those of a cassette (cassette.ts). */
interface RecordedLine {
  readonly cassette: string;
  readonly line: readonly string[];
  /** The current repository; `mara/harbor` if absent. */
  readonly repo?: string;
}

export function isRecorded(line: ReadLine): line is RecordedLine {
  return "cassette" in line;
}

/**
 * Command lines that read something, for tests that run every read command of the table. A command that is not listed is
 * run without arguments on the sandbox. IDs are those of the sandbox.
 */
const policyFile = join(import.meta.dirname, "../data/policy.yml");

export const readLines: Readonly<Record<string, readonly ReadLine[]>> = {
  "pr view": [["2"], ["2", "--comments"]],
  "pr diff": [["2", "--stat"]],
  "pr merged": [["2"]],
  "pr commits": [["2"]],
  "pr files": [["2"]],
  "pr checks": [["2"]],
  "pr reviews": [["2"]],
  "repo view": [[], ["--id", "1"]],
  "repo list": [["mara"], { cassette: "repo-more", line: ["--watched"] }],
  "repo collaborator permission": [["mara"]],
  "repo collaborator check": [["harbormaster"]],
  "repo team list": [["tidewater/charts"]],
  "repo team check": [["pilots", "-R", "tidewater/charts"]],
  // The sandbox counts no languages; test/commands/repo/settings.test.ts reads a record.
  "repo language": [],
  "repo license": [{ cassette: "repo-more", line: [] }],
  "repo watchers": [{ cassette: "repo-more", line: [], repo: "mara/lantern" }],
  "repo deploy-key list": [{ cassette: "repo-more", line: [], repo: "mara/lantern" }],
  "repo deploy-key view": [{ cassette: "repo-more", line: ["4"], repo: "mara/lantern" }],
  "repo mirror list": [{ cassette: "repo-more", line: [] }],
  "repo mirror view": [{ cassette: "repo-more", line: ["remote_mirror_HsYw8WTQkY"] }],
  "repo flag list": [{ cassette: "forgejo-16-repo-flags", line: [], repo: "root1/ci" }],
  "repo flag check": [{ cassette: "forgejo-16-repo-flags", line: ["important"], repo: "root1/ci" }],
  "runner jobs": [{ cassette: "forgejo-16-runners", line: [], repo: "root1/ci" }],
  "quota view": [quota("--org", "acme")],
  "quota check": [quota("1K", "--org", "acme", "--subject", "size:repos:all")],
  "quota artifact list": [quota("--org", "acme")],
  // Recorded without records, which are those of artifacts and users.
  "quota attachment list": [],
  "quota package list": [],
  "quota group user list": [],
  "quota group list": [quota()],
  "quota group view": [quota("guests2")],
  "quota rule list": [quota()],
  "quota rule view": [quota("all-1g")],
  "org view": [["tidewater"]],
  "org activity": [{ cassette: "organizations", line: ["skerry"] }],
  "org member list": [["tidewater"], ["tidewater", "--public"]],
  "org member check": [["tidewater", "harbormaster"]],
  "org member permission": [["tidewater"]],
  "org block list": [{ cassette: "organizations", line: ["skerry"] }],
  "org block check": [{ cassette: "organizations", line: ["pilots", "priya"] }],
  "org repo list": [["tidewater"]],
  "team list": [["tidewater"], []],
  "team view": [["tidewater/pilots"]],
  // The feed is read by the ID of a record before it; the one of an organization has the same records.
  "team activity": [],
  "team member list": [["tidewater/Owners"]],
  "team member check": [["tidewater/Owners", "harbormaster"]],
  "team repo list": [["tidewater/pilots"]],
  "team repo check": [["tidewater/pilots", "charts"]],
  "pr why": [["2"]],
  "pr stack": [["4"]],
  "run download": [],
  "issue view": [["8"], ["8", "--comments"]],
  // The exchanges of dependencies are those of test/data/exchanges: test/commands/issue/issue.test.ts reads them.
  "issue block list": [],
  "issue dependency list": [],
  "issue pinned": [],
  "issue template list": [recordedIssue()],
  "issue template view": [recordedIssue("Bug report")],
  "issue config": [recordedIssue("--check")],
  "issue time list": [recordedIssue("3"), recordedIssue()],
  "issue reaction list": [recordedIssue("1")],
  "issue timeline": [recordedIssue("8", "--limit", "20")],
  "issue attachment list": [recordedIssue("1")],
  "issue attachment download": [],
  "comment list": [["8"]],
  "comment view": [["2"]],
  "comment reaction list": [recordedIssue("112")],
  "milestone list": [["--state", "all"]],
  "milestone view": [["1"]],
  "release view": [["v1.0"]],
  "release download": [["v1.0", "--output", "-"]],
  "branch view": [["main"]],
  "branch protection view": [["release/**"]],
  "tag view": [["v1.0"]],
  "tag protection view": [["v*"]],
  "commit view": [["main"]],
  "commit note view": [
    { cassette: "commits", line: ["f8c66cb1a6ae3b27c770badcf4a73a17b0bbcb29"], repo: "mara/atlas" },
    { cassette: "forgejo-commits", line: ["78204fa9ab14497f6ce06eb332f025db60866a0d"], repo: "imara/ferry" },
  ],
  "commit status list": [["main"], ["main", "--latest"]],
  "user key list": [["mara"]],
  "user badge list": [],
  "user email list": [[], ["--own"]],
  "user block list": [{ cassette: "keys-apps", line: [] }],
  "user settings view": [{ cassette: "account", line: [] }],
  "user actor": [{ cassette: "forgejo-account", line: ["omara"] }],
  "ssh-key list": [[], ["--user", "mara"]],
  "gpg-key list": [
    { cassette: "keys-apps", line: [] },
    { cassette: "keys-apps", line: ["--user", "mara"] },
  ],
  "token list": [["--password-stdin"]],
  "oauth-app list": [{ cassette: "keys-apps", line: [] }],
  "oauth-app view": [{ cassette: "keys-apps", line: ["10"] }],
  "hook git list": [{ cassette: "git-hooks", line: [] }],
  "hook git view": [{ cassette: "git-hooks", line: ["pre-receive"] }],
  "admin cron list": [{ cassette: "forgejo-account", line: [] }],
  "admin org list": [{ cassette: "account", line: [] }],
  "admin unadopted list": [{ cassette: "unadopted", line: [] }],
  "follow check": [["mara"]],
  "star check": [["mara/harbor"]],
  "run view": [["latest"], ["--job", "1"]],
  "run why": [["latest"]],
  "run watch": [["latest"]],
  "run logs": [["latest"]],
  "run jobs": [["latest"], ["--admin"]],
  "workflow view": [["ci.yml"]],
  "runner list": [["--admin"]],
  "runner view": [["1", "--admin"]],
  "artifact view": [["1"]],
  "artifact download": [],
  "operation view": [],
  "hook listen": [],
  "mcp serve": [],
  "file list": [[], ["README.md"], { cassette: "extended-contents", line: ["maps", "--commits"], repo: "mara/atlas" }],
  "file view": [["README.md"]],
  "file get": [
    ["README.md", "tides.csv", "absent.md", "--dir", "out", "--overwrite"],
    ["README.md", "--dir", "out", "--overwrite"],
  ],
  "policy export": [["-", "--repo", "mara/harbor"]],
  "policy plan": [[policyFile, "--repo", "mara/harbor"]],
  "policy check": [[policyFile, "--repo", "mara/harbor"]],
  compare: [["main...fog-horn"]],
  browse: [["README.md", "--no-browser"]],
  "wiki list": [{ cassette: "wiki", line: [] }],
  "wiki view": [{ cassette: "wiki", line: ["Home"] }],
  "wiki history": [{ cassette: "wiki", line: ["Home"] }],
  "pr thread list": [["2"]],
  "variable get": [["TIDE_TABLE"]],
  "package list": [
    { cassette: "packages", line: ["--owner", "mara"] },
    { cassette: "packages", line: ["generic/charts", "--owner", "mara"] },
    { cassette: "forgejo-packages", line: ["generic/charts", "--owner", "mara"] },
  ],
  "package view": [
    { cassette: "packages", line: ["generic/charts@1.0.0", "--owner", "mara"] },
    { cassette: "forgejo-packages", line: ["generic/charts@1.0.0", "--owner", "mara"] },
  ],
  "package files": [
    { cassette: "packages", line: ["generic/charts@1.0.0", "--owner", "mara"] },
    { cassette: "forgejo-packages", line: ["generic/charts@1.0.0", "--owner", "mara"] },
  ],
  "package download": [
    {
      cassette: "packages",
      line: ["charts@1.0.0", "map.txt", "--owner", "mara", "--dir", "out", "--overwrite"],
    },
  ],
  "notification list": [
    { cassette: "notifications", line: ["-R", "mara/harbor"] },
    { cassette: "forgejo-notifications", line: ["--read", "--pinned"] },
  ],
  "notification view": [{ cassette: "notifications", line: ["4"] }],
  "template gitignore list": [{ cassette: "templates", line: [] }],
  "template gitignore view": [{ cassette: "templates", line: ["Go"] }],
  "template license list": [{ cassette: "templates", line: [] }],
  "template license view": [{ cassette: "templates", line: ["MIT"] }],
  "template label list": [{ cassette: "templates", line: [] }],
  "template label view": [{ cassette: "templates", line: ["Advanced"] }],
  "search repo": [{ cassette: "search", line: ["sailing", "--topic"] }],
  "search user": [{ cassette: "search", line: ["a"] }],
  "search issue": [{ cassette: "forgejo-search", line: ["lens", "--limit", "3"] }],
  "search topic": [{ cassette: "search", line: ["sail"] }],
  "repo activity": [{ cassette: "activity", line: ["--limit", "2"] }],
  "user activity": [{ cassette: "activity", line: ["mara", "--limit", "1"] }],
  render: [{ cassette: "markup", line: [] }],
};

/** A command on the recorded quotas. */
function quota(...line: string[]): ReadLine {
  return { cassette: "forgejo-16-quota", line };
}

/** A command on the recorded issues of mara/beacon. */
function recordedIssue(...line: string[]): ReadLine {
  return { cassette: "issues", line, repo: "mara/beacon" };
}

/** Commands that read no record: the status of the answer is all. */
export const readsNoRecord: ReadonlySet<string> = new Set([
  "star check",
  "follow check",
  "render",
  "org member check",
  "org block check",
  "repo collaborator check",
  "repo flag check",
]);
