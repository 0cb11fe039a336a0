import { clone, file, issues, labels, png, tidewater, times, workflow } from "./contents.ts";
import type { Preparation } from "./run.ts";

const notes = [
  "tongs api /admin/users/mara/repos -f name=notes -F auto_init=true",
  ...times(3, "tongs issue create -R mara/notes --title Note --body %"),
];
const release = (tag: string) => `tongs release create ${tag} dist/a.deb dist/b.rpm --title ${tag} --notes New`;
const approval = "tongs pr review 12 --approve --json";

/** What the examples of repositories need, by noun, by verb, or by the line itself. */
export const ofRepositories: Readonly<Record<string, Preparation>> = {
  pr: {
    before: [
      ...labels,
      ...issues(11),
      file("src/tides.ts", "--new-branch", "fix-tides"),
      "tongs pr create --profile work --base main --head fix-tides --title Tides --body New --reviewer priya --label docs",
      "tongs commit status set fix-tides --state success --context ci/build",
    ],
    files: { "notes.md": "Red ones.\n" },
    // The review that the verbs of reviews are about.
    words: { " 31 ": " 5 " },
  },
  "tongs pr view --json number,mergeable": { before: clone("fix-tides") },
  "tongs pr diff 12 --patch | git am": { before: clone("main") },
  "tongs pr create --fill --push": { before: [...clone("-b lamp main"), "git commit --quiet --allow-empty -m Lamp"] },
  "tongs pr create --stack --fill --push": {
    before: [...clone("-b lamp origin/fix-tides"), "git commit --quiet --allow-empty -m Lamp"],
  },
  "pr stack": { before: clone("fix-tides") },
  "tongs pr create --fill --push --attach buoys.png": {
    before: [...clone("-b buoys main"), "git commit --quiet --allow-empty -m Buoys"],
    files: { "buoys.png": png },
  },
  "pr edit": { files: { "buoys.png": png } },
  "tongs pr create --editor --fill-first": {
    before: [...clone("-b lamp main"), "git commit --quiet --allow-empty -m Lamp"],
    env: { EDITOR: "true" },
    answers: [true, "Submit"],
  },
  // The sandbox takes no pushes to refs/for: they are refused, and a branch was not made a pull request by one.
  "tongs pr create --agit --fill": {
    before: [...clone("-b lamp main"), "git commit --quiet --allow-empty -m Lamp"],
    code: 1,
  },
  "pr push": { code: 2 },
  "tongs pr create --web --fill --push": {
    before: [...clone("-b lamp main"), "git commit --quiet --allow-empty -m Lamp"],
    env: { BROWSER: "true" },
  },
  'tongs pr create --title "Add the buoys" --body-file notes.md --label docs --reviewer jonas': {
    before: [...clone("-b buoys main"), "git commit --quiet --allow-empty -m Buoys", "git push --quiet origin buoys"],
  },
  "tongs pr create -R mara/harbor --head priya:ferry --fill": {
    before: [file("ferry.md", "-R priya/harbor", "--new-branch ferry")],
  },
  // Its exit code is 8 while a check is pending.
  "tongs pr checks 12": { before: ["tongs pr checks 12 --watch"] },
  "pr reopen": { before: ["tongs pr close 12"] },
  "tongs pr merge 12 --match-head 3f2a9c1": { commits: { "3f2a9c1": "fix-tides" } },
  "tongs pr merge --stack --style squash --delete-branch --yes": { before: clone("fix-tides") },
  "tongs pr merge 12 --auto --delete-branch": {
    before: ["tongs api repos/mara/harbor/branch_protections -f rule_name=main -F enable_status_check=true"],
  },
  "pr merged": { before: ["tongs pr merge 12"] },
  "pr checkout": { before: clone("main") },
  "tongs pr review 12 --editor": { env: { EDITOR: "printf 'Fine.\\n' >>" }, answers: ["Comment"] },
  "tongs pr review 12 --review-file review.json": { files: { "review.json": '{"event":"COMMENT","body":"Fine."}' } },
  "pr review submit": { before: ["tongs pr review 12 --pending --body Later --json"] },
  "tongs pr thread apply 275 276 --pr 12": {
    before: [
      "tongs pr review 12 --comment --file 'src/tides.ts:3=```suggestion\nIII\n```' --file 'src/tides.ts:5=```suggestion\nV\n```'",
    ],
    words: { " 275 276 ": " 7 8 " },
  },
  "pr review dismiss": { before: [approval] },
  "pr review undismiss": { before: [approval, "tongs pr review dismiss 31 --pr 12 --message Old"] },
  "pr review delete": { before: [approval] },
  "pr status": { before: clone("fix-tides") },
  "pr revert": { before: ["tongs pr merge 12 --yes", ...clone("main")], words: { "11": "12" } },
  "pr unlock": { before: ["tongs pr lock 12"] },
  "tongs pr thread list --state open": { before: clone("fix-tides") },
  // Those of the demo project are pull requests, one of them merged.
  issue: {
    before: [
      ...labels,
      ...["Spring", "Summer"].map((title) => `tongs milestone create ${title}`),
      ...issues(12),
      ...notes,
    ],
    words: { "3 4": "10 11" },
  },
  "issue template": { env: { TONGS_REPO: "mara/beacon" } },
  "tongs issue develop 12 --checkout": { before: clone("main") },
  "tongs issue create --editor": { env: { EDITOR: "echo Dark >" }, answers: [] },
  'tongs issue create --template "Bug report" --title "The lamp is dark" --field where=north --field "sure=I looked"': {
    before: ["tongs api /admin/users/mara/repos -f name=beacon -F auto_init=true"],
    env: { TONGS_REPO: "mara/beacon" },
  },
  "issue attachment": {
    before: ["mkdir -p up && echo dark > up/log.txt && tongs issue attachment upload 12 up/log.txt"],
    words: { " 34": " 1" },
  },
  "issue unlock": { before: ["tongs issue lock 12"] },
  "issue unpin": { before: ["tongs issue pin 12"] },
  "tongs issue pin 12 --position 1": { before: ["tongs issue pin 11", "tongs issue pin 12"] },
  "issue block remove": { before: ["tongs issue block add 12 3 4"] },
  "issue dependency remove": { before: ["tongs issue dependency add 12 3 4"] },
  "issue attachment upload": { files: { "lamp.png": png, "log.txt": "dark\n" } },
  "issue create": { files: { "dark.md": "![lamp](lamp.png)\n", "lamp.png": png, "log.txt": "dark\n" } },
  "issue comment": { files: { "lamp.png": png, "log.txt": "dark\n" } },
  "issue edit": { files: { "log.txt": "dark\n" } },
  "comment edit": { files: { "log.txt": "dark\n" } },
  comment: { before: [...issues(12), ...times(31, "tongs issue comment 12 --body %")] },
  milestone: { before: ["tongs milestone create v1.2"] },
  "milestone create": { before: ["tongs milestone delete v1.2 --yes"] },
  "milestone reopen": { before: ["tongs milestone close v1.2"] },
  label: { before: [...labels, ...tidewater], files: { "labels.csv": "name,color\nkelp,00ff00\n" } },
  "label create": { before: ["tongs label delete bug --yes"] },
  release: {
    before: [release("v1.2.0")],
    files: {
      "dist/a.deb": "a",
      "dist/b.rpm": "b",
      "dist/tongs.tar.gz": "t",
      "dist/tongs.deb": "d",
      "dist/sums.txt": "0\n",
      "notes.md": "New.\n",
      "chart.png": png,
    },
  },
  "release create": { before: ["tongs release delete v1.2.0 --cleanup-tag --yes"] },
  "tongs release create v1.2.0 --verify-tag --notes-from-tag dist/tongs.tar.gz 'dist/sums.txt#SHA256SUMS'": {
    before: ["tongs tag create v1.2.0 -m New"],
  },
  "release delete": { before: [release("v1.2.0-rc1")] },
  "tongs release upload v1.2.0 dist/tongs.tar.gz --clobber": {
    before: ["tongs release upload v1.2.0 dist/tongs.tar.gz"],
  },
  "release delete-asset": { before: ["tongs release upload v1.2.0 dist/tongs.tar.gz"] },
  branch: {
    before: [
      "tongs tag create v1.2.0",
      ...["staging", "fix-tides", "fix-lamp"].map((name) => `tongs branch create ${name}`),
      "tongs branch protection create main",
      "tongs branch protection create 'release/**'",
    ],
    commits: { "9b1c0d2": "main", "3f2a91c": "fog-horn" },
  },
  "tongs branch create fix-tides": { before: ["tongs branch delete fix-tides --yes"] },
  "branch rename": {
    before: ["tongs repo create old --init --default-branch master"],
    env: { TONGS_REPO: "harbormaster/old" },
  },
  "tongs branch update main 3f2a91c --expect 9b1c0d2 --force": {
    before: ["tongs branch protection delete main --yes"],
  },
  "branch protection create": { before: ["tongs branch protection delete main --yes"] },
  tag: {
    before: [
      "tongs tag create v1.2.0",
      "tongs tag create v1.2.0-rc1",
      "tongs tag protection create 'v*' --whitelist-usernames mara",
    ],
    commits: { "3f2a91c": "main" },
  },
  "tag create": { before: ["tongs tag protection delete 'v*' --yes", "tongs tag delete v1.2.0 --yes"] },
  "tag delete": { before: ["tongs tag protection delete 'v*' --yes"] },
  "tag protection create": { before: ["tongs tag protection delete 'v*' --yes"] },
  commit: { before: ["tongs branch create fix-tides"], commits: { "3f2a91c": "fog-horn" } },
  "tongs commit view 3f2a91c --patch | git am": { before: clone("main") },
  file: {
    before: [
      ...["src/main.ts", "docs/tides.md", "old.md", "older.md", "a.txt"].map((path) => file(path)),
      "tongs tag create v1.0",
    ],
    files: { "tides.md": "New.\n", "paths.txt": "README.md\nsrc/main.ts\n" },
  },
  "file get": { words: { "< paths.txt": "--clobber < paths.txt" } },
  "file patch": { before: [...clone("main"), "echo 1 >> README.md"] },
  compare: {
    before: [
      file("june.csv", "--new-branch tides/june"),
      "tongs tag create v1.0",
      file("a.txt"),
      "tongs tag create v1.1",
    ],
  },
  browse: { before: [...issues(12)] },
  // Another repository stands for the wiki.
  "wiki clone": {
    env: {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "url.{url}/mara/harbor.git.insteadOf",
      GIT_CONFIG_VALUE_0: "{url}/mara/harbor.wiki.git",
    },
  },
  wiki: { files: { "signals.md": "Fog.\n", "home.md": "Here.\n" } },
  repo: {
    before: [
      ...tidewater,
      "tongs api /admin/users/mara/repos -f name=quay",
      "tongs api /admin/users/mara/repos -f name=scratch",
      "tongs repo team add pilots -R tidewater/charts",
      "tongs repo collaborator add jonas",
      "tongs repo topic add tides",
    ],
    files: { "ci.pub": "", "token.txt": "not-a-secret\n", token: "not-a-secret\n", "anchor.png": png },
  },
  "tongs repo create harbor --source . --push": {
    before: ["git init --quiet && git commit --quiet --allow-empty -m First"],
  },
  "tongs repo create charts --org tidewater": { before: ["tongs repo delete tidewater/charts --yes"] },
  "repo delete": { answers: ["mara/scratch"] },
  // The sandbox stands for the other server, too.
  "repo import": {
    words: {
      "https://github.com/acme": "https://git.example.org/mara",
      "https://gitlab.com/acme/tools": "https://git.example.org/mara",
    },
    files: { "addresses.txt": "https://git.example.org/mara/quay.git\n", token: "{token}\n" },
  },
  "tongs repo import https://gitlab.com/acme/tools --mirror --no-archived": { code: 4 },
  "tongs repo fork --remote": { before: clone("main") },
  "tongs repo sync --branch release --ff-only": {
    before: ["tongs branch create release -R mara/harbor", "tongs branch create release"],
    env: { TONGS_REPO: "priya/harbor" },
  },
  "tongs repo exec 'tidewater/*' -- git status --short": { before: ["tongs repo clone 'tidewater/*'"] },
  "tongs repo exec '*' --remote -- tongs label create urgent": {
    words: { " tongs label create urgent": " printenv TONGS_REPO" },
    as: "mara",
  },
  "repo set-default": { before: clone("main") },
  "repo unarchive": { before: ["tongs repo archive"] },
  "tongs repo transfer jonas -R mara/harbor": { answers: [true] },
  "repo rename": { before: ["tongs repo delete mara/quay --yes"] },
  "repo team add": { before: ["tongs repo team remove pilots -R tidewater/charts"] },
  run: {
    before: ["tongs workflow run ci.yml -f depth=3 --watch"],
    words: {
      "'#7'": "'#2'",
      " 31": " 3",
      "--job 214": "--job 1",
      "download 20": "download 2",
      "--name docs": "--name report",
    },
    files: { deploy: "#!/bin/sh\n" },
  },
  // The sandbox does not have these operations.
  "tongs run cancel latest": { code: 5 },
  "tongs run approve latest": { code: 5 },
  "run cancel": { before: [file(".gitea/workflows/nightly.yml")] },
  "run delete": { before: [file(".gitea/workflows/nightly.yml")], words: { " 31": " 1" } },
  "tongs run rerun latest --failed": { before: ["tongs workflow run ci.yml -f depth=3 -f storm=true"] },
  workflow: {
    files: {
      "release.yml": workflow("Release", "version"),
      "nightly.yml": workflow("Nightly"),
      "build.yml": workflow("Build"),
    },
    before: [
      ...["release", "nightly", "build"].map(
        (name) => `tongs file put .gitea/workflows/${name}.yml ${name}.yml -m Run`,
      ),
      "tongs branch create feature/lights",
    ],
  },
  "workflow check": {
    before: ["git init --quiet ."],
    files: {
      ".gitea/workflows/ci.yml": "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps: [{ run: make }]\n",
    },
  },
  "workflow enable": { before: ["tongs workflow disable nightly.yml"] },
  artifact: { words: { " 20": " 2", "--name docs ": "", " 14": " 1", " 15": " 2" } },
  hook: {
    before: [...tidewater, ...times(3, "tongs hook create --url https://ci.example.org/% --event push")],
    files: { "secret.txt": "not-a-secret\n", "pre-receive.sh": "#!/bin/sh\n" },
    env: { HOOK_SECRET: "not-a-secret" },
  },
  "hook listen": { until: "Listening", words: { "3001": "0" } },
};
