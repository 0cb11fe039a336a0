import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { parseRelease } from "../../../src/sandbox/release.ts";
import { serve } from "../../support/server.ts";
import { emptyFolder, type Ran, tongs, type World } from "../../support/tongs.ts";
import { type OnSandbox, onSandbox } from "../on-sandbox.ts";

const head = "on: push\njobs:\n  build:\n    runs-on: pier\n    steps:\n";
const steps = (...lines: readonly string[]) => head + lines.map((line) => `      ${line}\n`).join("");

const right = steps("- run: make");

/** Workflows that run, as people write them. */
const sound = join(import.meta.dirname, "../../data/workflows");

/** A folder with files; with a remote it is a clone. */
function folderOf(files: Readonly<Record<string, string | Buffer>>, remote?: string): string {
  const cwd = emptyFolder();
  if (remote !== undefined) {
    execFileSync("git", ["init", "--quiet", cwd]);
    execFileSync("git", ["-C", cwd, "remote", "add", "origin", remote]);
  }
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  return cwd;
}

/** Paths of files in the folder of workflows. */
const names = (words: string, end = ".yml") => words.split(" ").map((word) => `.gitea/workflows/${word}${end}`);

/** Checks one file without a server. */
const alone = (text: string | Buffer) => tongs(["workflow", "check", "ci.yml"], { cwd: folderOf({ "ci.yml": text }) });

interface Finding {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: string;
  readonly message: string;
  readonly rule: string;
}

const briefly = (ran: Ran) =>
  (ran.json() as Finding[]).map(({ line, severity, rule, message }) => `${line} ${severity} ${rule}: ${message}`);

describe("tongs workflow check without a server", () => {
  it("checks only the files, says so, and succeeds for a right one", async () => {
    const ran = await alone(steps("- run: make"));
    expect(ran).toMatchObject({ code: 0, stdout: "" });
    expect(ran.stderr).toContain("Checked only the files, not what a server has: Not signed in to any server\n");
    expect(ran.stderr).toContain("Checked 1 workflow file: 0 errors, 0 warnings\n");
  });

  it.each([
    ["YAML that is not valid", "on: [push\njobs: {}\n", "2:1: error: Flow sequence"],
    ["an unknown key", steps("- run: make", "  wth: x"), "7:9: error: Unknown key 'wth'\n"],
    ["a key twice", `${steps("- run: make")}on: pull_request\n`, "7:1: error: Map keys must be unique\n"],
    [
      "an expression with a mistake",
      steps(`- run: echo \${{ github.ref == }}`),
      "6:19: error: Unexpected end of expression: '=='\n",
    ],
    ["an unknown context", steps(`- run: echo \${{ gihub.ref }}`), "6:19: error: Unrecognized named-value: 'gihub'\n"],
    [
      "a job without runs-on",
      "on: push\njobs:\n  a:\n    steps: []\n",
      "4:5: error: Required property is missing: runs-on\n",
    ],
    [
      "an unknown job in needs",
      `${head}      - run: x\n    needs: lint\n  a:\n    runs-on: x\n    steps: []\n`,
      "7:12: error: Job 'build' depends on unknown job 'lint'.\n",
    ],
    [
      "an unknown event",
      "on: pusch\njobs:\n  a:\n    runs-on: x\n    steps: []\n",
      "1:5: error: No server starts workflows on 'pusch' (did you mean push?)\n",
    ],
    ["a step that is none", steps("- name: x"), "6:9: error: A job needs steps or uses, and a step run or uses\n"],
    [
      "a step that runs later",
      steps(`- run: echo \${{ steps.later.outputs.x }}`, "- id: later", "  run: x"),
      "6:19: error: steps.later: job 'build' has no earlier step with the ID 'later'\n",
    ],
    [
      "a job that is not needed",
      steps("- if: needs.lint.result == 'success'", "  run: x"),
      "6:13: error: needs.lint: job 'build' does not need 'lint'\n",
    ],
    [
      "an alias without an anchor",
      steps("- run: x", "  env: { A: *nope }"),
      "7:19: error: alias *nope has no anchor; put text that begins with * in quotes\n",
    ],
    ["a step with run and uses", steps("- run: x", "  uses: ./a"), "7:9: error: Unknown key 'uses'\n"],
    [
      "an input that is not declared",
      steps(`- run: echo \${{ inputs.tide }}`).replace(
        "on: push",
        "on: { workflow_dispatch: { inputs: { tides: {} } } }",
      ),
      "6:19: error: inputs.tide: the workflow has no input 'tide' (did you mean tides?)\n",
    ],
    [
      "an output that the job does not have",
      `${steps("- run: x")}  b:\n    needs: build\n    runs-on: x\n    steps: [{ run: "\${{ needs.build.outputs.x }}" }]\n`,
      "10:21: error: needs.build has no output 'x'\n",
    ],
    [
      "a condition that YAML takes as a tag",
      steps("- if: !cancelled()", "  run: x"),
      "6:13: error: Unresolved tag: !cancelled(): put text that begins with ! in quotes\n",
    ],
    [
      "an expression that a comment cuts",
      steps(`- run: echo \${{ 'a #b' }}`),
      "6:14: error: The expression is not closed, because #",
    ],
    [
      "a key in braces",
      steps("- run: {{ x }}"),
      "6:15: error: A key must be text; put a value that begins with { in quotes\n",
    ],
    [
      "a matrix that does not exist",
      steps(`- run: echo \${{ matrix.os }}`),
      "6:19: error: matrix.os: the matrix of job 'build' has no key 'os'\n",
    ],
    [
      "an action without a ref",
      steps("- uses: actions/checkout"),
      "6:15: error: 'actions/checkout' is not OWNER/NAME@REF, a URL, docker://IMAGE or ./PATH\n",
    ],
  ])("reports %s with its place: exit code 1", async (_what, text, message) => {
    const ran = await alone(text);
    expect([ran.code, ran.stdout.startsWith(`ci.yml:${message}`)], ran.stdout).toEqual([1, true]);
  });

  const workflows = ".gitea/workflows";
  it.each([
    ["the clone", []],
    ["a folder that is named", [workflows]],
    ["a clone whose files are named", [...names("file inside pipe proc shared"), ".gitea/linked/other.yml"]],
  ])("reads nothing that links of %s lead to", async (_what, named) => {
    const secret = { "tools/.env": "x: SECRET\n", "shared/workflows/a.yml": "x: 1\n" };
    const cwd = folderOf({ [`${workflows}/ci.yml`]: right, ...secret }, "https://example.org/a/b");
    const outside = folderOf({ "other.yml": "x: SECRET\n", "workflows/w.yml": "x: SECRET\n" });
    const link = (to: string, name: string) => symlinkSync(to, join(cwd, workflows, name));
    link(join(outside, "workflows/w.yml"), "file.yml");
    link(outside, "folder");
    link(".", "loop");
    link("../../tools/.env", "inside.yml");
    link("/proc/self/environ", "proc.yml");
    link("../../shared/workflows/a.yml", "shared.yml");
    symlinkSync(outside, join(cwd, ".gitea/linked"));
    execFileSync("mkfifo", [join(cwd, workflows, "pipe.yml")]);
    writeFileSync(join(cwd, workflows, "call.yml"), "on: push\njobs:\n  a:\n    uses: ./called/called.yml\n");
    symlinkSync(outside, join(cwd, "called"));
    symlinkSync(join(outside, "other.yml"), join(outside, "called.yml"));
    const ran = await tongs(["workflow", "check", "--json", ...named], { cwd });
    const found = ran.json() as Finding[];
    const notRead = found.filter(({ rule }) => rule === "file").map(({ file }) => file);
    const linked = named.length > 1 ? [".gitea/linked/other.yml"] : [];
    expect(notRead.sort()).toEqual([...linked, ...names("file inside pipe proc shared")].sort());
    expect(ran.stdout).not.toContain("'x'");
  });

  it("reads no link that is named outside of a clone", async () => {
    const cwd = folderOf({ "a.env": "x: SECRET\n", "b.yml": right });
    symlinkSync("a.env", join(cwd, "a.yml"));
    const ran = await tongs(["workflow", "check", "--json", "a.yml", "b.yml"], { cwd });
    expect((ran.json() as Finding[]).map(({ file, rule }) => [file, rule])).toEqual([["a.yml", "file"]]);
    expect(ran.code).toBe(1);
  });

  it("does not look in a folder of workflows that is a link out of the clone", async () => {
    const cwd = folderOf({ "a.yml": right }, "https://example.org/a/b");
    mkdirSync(join(cwd, ".gitea"));
    symlinkSync("/proc", join(cwd, ".gitea/workflows"));
    expect(await tongs(["workflow", "check"], { cwd })).toMatchObject({ code: 5, stdout: "" });
  });

  it("says once what has not the right form", async () => {
    const found = async (text: string) => (await alone(text)).stdout.match(/error: /g)?.length;
    expect(await found(right.replace("on: push", "on: { schedule: ['0 4 * * *'] }"))).toBe(1);
    expect(await found(steps("- name: x"))).toBe(1);
    expect(await found(steps(`- if: \${{ github.ref == "x" }}`, "  run: x"))).toBe(1);
  });

  it("checks an action as an action, and one of another program not by its keys", async () => {
    const action = (...lines: readonly string[]) =>
      `inputs: { who: {} }\nruns:\n${lines.map((one) => `  ${one}\n`).join("")}`;
    const ran = await alone(
      action("using: composite", `steps: [{ run: 'echo \${{ inputs.who }} \${{ inputs.whoo }}', wth: x }]`),
    );
    expect([ran.code, ran.stdout.split("\n")]).toEqual([
      1,
      [
        "ci.yml:4:42: error: inputs.whoo: the action has no input 'whoo' (did you mean who?)",
        "ci.yml:4:63: error: Unknown key 'wth'",
        "",
      ],
    ]);
    expect(await alone(action("using: go", "main: ci.yml", "more: x"))).toMatchObject({ code: 0, stdout: "" });
  });

  it.each([
    ["name: lamp\n", "1:1: error: Required property is missing: runs"],
    ["runs: { main: a.js }\n", "1:1: error: Required property is missing: using"],
    ["runs: { using: node20 }\n", "1:1: error: Required property is missing: main"],
    ["runs: { using: docker }\n", "1:1: error: Required property is missing: image"],
    ["runs: { using: node18, main: a }\n", "1:16: error: No server runs actions with 'node18' (did you mean node12"],
    ["runs: { using: docker, image: docker://alpine }\n", ""],
  ])("checks the action of a folder that is named or used: %j", async (text, message) => {
    const use = (path: string) => `jobs: { a: { runs-on: pier, steps: [{ uses: ${path} }] } }\n`;
    const files = { "m/action.yml": text, "m/a.js": "", ".gitea/workflows/ci.yml": `on: push\n${use("./m")}` };
    const cwd = folderOf(files, "/x");
    for (const named of [["m"], [join(cwd, "m")], ["m/action.yml"], []]) {
      const { code, stdout } = await tongs(["workflow", "check", ...named], { cwd });
      const name = "m/action.yml";
      expect([code, stdout.slice(0, name.length + 1 + message.length)]).toEqual([
        message.includes("error") ? 1 : 0,
        message === "" ? "" : `${name}:${message}`,
      ]);
    }
  });

  it("checks all workflow files of a folder that is named, and says if there are none: exit code 5", async () => {
    const action = "runs: { using: composite, steps: [{ run: x }] }\n";
    const cwd = folderOf({
      ".gitea/workflows/deep/a.yml": right,
      ".gitea/workflows/b.yaml": right,
      ".gitea/issue_template/bug.yml": "name: bug\n",
      "action.yml": action,
      "compose.yml": "services: {}\n",
      "more/a.yml": right,
      "more/deep/b.yml": "name: b\n",
      "src/x.txt": "",
    });
    const checked = async (folder: string) => {
      const ran = await tongs(["workflow", "check", folder], { cwd });
      return ran.code === 0 ? /Checked (\d+)/.exec(ran.stderr)?.[1] : [ran.code, ran.stderr];
    };
    for (const [folder, files] of [
      [".", "3"],
      [".gitea", "2"],
      [".gitea/workflows", "2"],
      [join(cwd, ".gitea/workflows/deep"), "1"],
      ["more/", "1"],
    ] as const)
      expect([folder, await checked(folder)]).toEqual([folder, files]);
    expect(await checked("src")).toEqual([5, expect.stringContaining("No workflow files found in src")]);
  });

  it("compares calls in the clone with what is called, and reads the actions that are used", async () => {
    const reusable = `on:
  workflow_call:
    inputs: { config: { type: string, required: true }, level: { type: number, required: true, default: 1 } }
    secrets: { token: { required: true } }
    outputs: { made: { value: x } }
jobs: { a: { runs-on: pier, steps: [{ run: x }] } }
`;
    const action = `inputs: { who: { required: true }, how: {} }
outputs: { said: { value: "\${{ steps.no.outputs.x }}" } }
runs: { using: composite, steps: [{ id: say, run: x }, { uses: ./none }] }
`;
    const ci = `on: push
jobs:
  bad:
    uses: ./.gitea/workflows/re.yml
    with: { confg: x }
    secrets: { tokn: x }
  good:
    uses: ./.gitea/workflows/re.yml
    with: { Config: x }
    secrets: inherit
  self:
    uses: ./.gitea/workflows/ci.yml
  use:
    runs-on: pier
    needs: good
    steps:
      - { id: lamp, uses: ./lamp, with: { wo: x, how: y } }
      - run: echo \${{ steps.lamp.outputs.sad }} \${{ steps.lamp.outputs.Said }}
      - run: echo \${{ needs.good.outputs.mad }} \${{ needs.good.outputs.made }}
      - { id: go, uses: ./go, with: { a: x } }
      - run: echo \${{ steps.go.outputs.any }}
`;
    const go = "inputs: { a: {} }\nruns: { using: go, main: action.yaml }\n";
    const files = { ".gitea/workflows/ci.yml": ci, ".gitea/workflows/re.yml": reusable, "lamp/action.yml": action };
    const cwd = folderOf({ ...files, "go/action.yaml": go }, "https://git.example.org/mara/lamps.git");
    const ran = await tongs(["workflow", "check"], { cwd });
    expect([ran.code, ran.stdout.split("\n")]).toEqual([
      1,
      [
        ".gitea/workflows/ci.yml:4:11: error: ./.gitea/workflows/re.yml needs the input 'config'",
        ".gitea/workflows/ci.yml:4:11: error: ./.gitea/workflows/re.yml needs the secret 'token'",
        ".gitea/workflows/ci.yml:5:13: warning: ./.gitea/workflows/re.yml has no input 'confg' (did you mean config?)",
        ".gitea/workflows/ci.yml:6:16: warning: ./.gitea/workflows/re.yml has no secret 'tokn' (did you mean token?)",
        ".gitea/workflows/ci.yml:12:11: error: ./.gitea/workflows/ci.yml cannot be called: it has no workflow_call",
        ".gitea/workflows/ci.yml:17:27: error: ./lamp needs the input 'who'",
        ".gitea/workflows/ci.yml:17:43: warning: ./lamp has no input 'wo' (did you mean who?)",
        ".gitea/workflows/ci.yml:18:19: error: steps.lamp has no output 'sad' (did you mean said?)",
        ".gitea/workflows/ci.yml:19:19: error: needs.good has no output 'mad' (did you mean made?)",
        "lamp/action.yml:2:28: error: steps.no: the action has no step with the ID 'no'",
        "lamp/action.yml:3:64: error: ./none does not exist",
        "",
      ],
    ]);
  });

  it("compares outputs of a workflow with its jobs", async () => {
    const reusable = `on:
  workflow_call:
    outputs:
      a: { value: "\${{ jobs.zz.outputs.x }}" }
      b: { value: "\${{ jobs.a.outputs.Okk }} \${{ jobs.A.outputs.ok }} \${{ jobs.a.result }}" }
      c: { value: "\${{ jobs.b.outputs.mad }} \${{ jobs.b.outputs.made }}" }
jobs:
  a: { runs-on: pier, outputs: { ok: x }, steps: [{ run: x }] }
  b: { uses: ./.gitea/workflows/more.yml }
`;
    const more = `on: { workflow_call: { outputs: { made: { value: x } } } }\n${right.slice(right.indexOf("jobs:"))}`;
    const files = { "more.yml": more, "re.yml": reusable };
    const inFolder = Object.entries(files).map(([name, text]) => [`.gitea/workflows/${name}`, text]);
    const ran = await tongs(["workflow", "check"], { cwd: folderOf(Object.fromEntries(inFolder), "/x") });
    expect(ran.stdout.split("\n")).toEqual([
      ".gitea/workflows/re.yml:4:20: error: jobs.zz: the workflow has no job 'zz'",
      ".gitea/workflows/re.yml:5:20: error: jobs.a has no output 'Okk'",
      ".gitea/workflows/re.yml:6:20: error: jobs.b has no output 'mad' (did you mean made?)",
      "",
    ]);
  });

  it("finds schedules that the servers do not know", async () => {
    const scheduled = (...crons: readonly string[]) =>
      alone(right.replace("on: push", `on: { schedule: [${crons.map((cron) => `{ cron: '${cron}' }`).join(", ")}] }`));
    expect((await scheduled("@daily", "@every 5m", "TZ=UTC 0 4 * * *")).code).toBe(0);
    expect((await scheduled("@reboot")).code).toBe(1);
  });

  it("reads stdin once: a second - is a usage error", async () => {
    const ran = await tongs(["workflow", "check", "-", "-"], { stdin: right });
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining("Standard input can be read only once")]);
  });

  it("prints a note for each cause of what was not checked, with their number, and all in JSON", async () => {
    const uses = steps("- uses: mara/a@v1", "- uses: mara/b@v1");
    const cwd = folderOf({ "a.yml": uses, "b.yml": uses });
    const { stderr } = await tongs(["workflow", "check", "a.yml", "b.yml"], { cwd });
    expect(stderr.match(/.*not checked.*/g)).toEqual([
      "a.yml:6:15: not checked: mara/a@v1: other servers are only asked with --online (and 3 more for the same reason)",
    ]);
    const all = await tongs(["workflow", "check", "a.yml", "b.yml", "--json"], { cwd });
    const causes = (all.json() as { cause: string }[]).map(({ cause }) => cause);
    expect(causes).toEqual(Array(4).fill("other servers are only asked with --online"));
  });

  it("warns of conditions that are always true, because they have text outside of an expression", async () => {
    const warned = async (condition: string) => (await alone(steps(`- if: ${condition}`, "  run: x"))).stdout;
    for (const text of [`\${{ true }} || \${{ false }}`, `\${{ '}}' }}x`, `|\n          \${{ github.ref == 'x' }}`])
      expect(await warned(text)).toMatch(/^ci.yml:6:13: warning: The condition is always true: text or a line break/);
    for (const text of [`\${{ '}}' == 'x' }}`, `>-\n          \${{ true }}`, `github.ref == '{{ b }}'`])
      expect([text, await warned(text)]).toEqual([text, ""]);
    expect((await alone(steps("- uses: docker://x", `  with: { if: "\${{ true }} x" }`))).stdout).toBe("");
  });

  it("warns of scripts that get what others write, on events that have secrets", async () => {
    const found = async (on: string, name: string, key = "run: echo") =>
      (await alone(steps(`- run: x`, `- ${key} \${{ ${name} }}`).replace("on: push", `on: ${on}`))).stdout;
    const written = ["github.event.pull_request.title", "gitea.event.comment.body", "github.head_ref"];
    for (const name of [...written, "github.event.commits.*.message", "github.event.pull_request['head'].ref"])
      expect(await found("[push, pull_request_target]", name)).toMatch(
        /^ci.yml:7:19: warning: Script injection: anyone/,
      );
    expect(await found("{ issues: { types: [opened] } }", "format('{0}', github.event.issue.title)")).toContain(
      "issue.title",
    );
    expect(await found("pull_request", "github.event.pull_request.title")).toBe("");
    expect(
      await found(
        "pull_request_target",
        "github.event.pull_request.title",
        "uses: docker://x\n        env:\n          A:",
      ),
    ).toBe("");
    expect(await found("pull_request_target", "github.event.pull_request.number || github.event.repository.name")).toBe(
      "",
    );
  });

  it("warns of names that github lacks, shells that there are not, and filters of which one is too many", async () => {
    const filters = "on: { push: { branches: [a], branches-ignore: [b], tags: [c] } }";
    const lines = steps(
      `- run: echo \${{ github.sah }} \${{ gitea.SHA }}`,
      "  shell: basch",
      "- { run: x, shell: 'perl {0}' }",
    );
    const { code, stdout } = await alone(lines.replace("on: push", filters));
    expect([code, stdout.split("\n")]).toEqual([
      0,
      [
        "ci.yml:1:30: warning: An event has either branches or branches-ignore, not both",
        "ci.yml:6:19: warning: github.sah: the servers have no 'sah' (did you mean sha?)",
        "ci.yml:7:16: warning: No server has the shell 'basch' (did you mean bash?)",
        "",
      ],
    ]);
  });

  it("says what must not be empty", async () => {
    const { stdout } = await alone("on: { push: { branches: } }\njobs:\n  a:\n");
    expect(stdout.split("\n").slice(0, 2)).toEqual([
      "ci.yml:1:25: error: 'branches' must not be empty",
      "ci.yml:3:5: error: 'a' must not be empty",
    ]);
  });

  it("takes keys of a matrix that are included, in any case, and those of a matrix that an expression makes", async () => {
    const job = (matrix: string, run: string) =>
      `on: push\njobs:\n  a:\n    runs-on: x\n    strategy:\n      matrix: ${matrix}\n    steps:\n      - run: ${run}\n`;
    const run = `echo \${{ matrix.OS }} \${{ matrix.cc }}`;
    expect((await alone(job("{ os: [a, b], include: [{ os: c, cc: gcc }] }", run))).code).toBe(0);
    expect((await alone(job(`\${{ fromJSON(vars.MATRIX) }}`, run))).code).toBe(0);
    expect((await alone(job(`{ os: [a], include: '\${{ fromJSON(vars.MORE) }}' }`, run))).code).toBe(0);
    expect((await alone(job("{ os: [a, b], include: [{ c: gcc }] }", run))).stdout).toContain("has no key 'cc'");
  });

  it("warns of events that no server starts a workflow on, which is no error", async () => {
    const ran = await alone(right.replace("on: push", "on: [push, check_run, repository_dispatch]"));
    const none = "warning: Neither Gitea nor Forgejo starts workflows on";
    expect([ran.code, ran.stdout]).toEqual([
      0,
      `ci.yml:1:12: ${none} 'check_run'\nci.yml:1:23: ${none} 'repository_dispatch'\n`,
    ]);
  });

  it.each([
    ["is not UTF-8", Buffer.from([0x6f, 0x6e, 0x3a, 0xff]), "1:1: error: The file is not UTF-8 text\n"],
    [
      "has aliases of aliases",
      `${[..."abcdefghij"]
        .map(
          (name, at) =>
            `${name}: &${name} [${Array(10)
              .fill(at === 0 ? "x" : `*${"abcdefghij"[at - 1]}`)
              .join()}]`,
        )
        .join("\n")}\n`,
      "1:1: error: The file has too many values\n",
    ],
    ["has an alias of itself", "on: &a [*a]\njobs: {}\n", "1:1: error: The file has too many values\n"],
    ["is nested deeply", `on: ${"[".repeat(20_000)}`, "1:1: error: The file has too many"],
    ["is empty", "", "1:1: error: The file is empty\n"],
    ["is a comment", "# on: push\n", "1:1: error: The file is empty\n"],
    ["merges itself", "on: push\njobs: &a\n  <<: *a\n", "1:1: error: The file has too many values\n"],
    [
      "merges many values often",
      `x: &x {${Array.from({ length: 9000 }, (_, at) => `k${at}: 1`).join()}}\ny: [${"{<<: *x},".repeat(9000)}]\n`,
      "1:1: error: The file has too many values\n",
    ],
    ["merges a text", "on: push\njobs:\n  <<: x\n", "3:7: error: Unexpected value 'x'\n"],
    [
      "has a key that YAML 1.1 makes true",
      `true: push\n${right.replace("on: push\n", "")}`,
      "1:1: error: Unknown key 'true'\n",
    ],
    ["is a list", "- on\n", "1:1: error: A sequence was not expected\n"],
    ["has a key that is a map", "? {a: 1}\n: 2\n", "1:3: error: A key must be text"],
    [
      "has keys of objects",
      "on: push\nconstructor: 1\n__proto__: 2\njobs:\n  toString:\n    runs-on: x\n    steps: []\n",
      "2:1: error: Unknown key 'constructor'\n",
    ],
    ["is bytes of zero", "\0\0\0", "1:1: error: "],
  ])("ends with a sentence for a file that %s", async (_what, content, message) => {
    const ran = await alone(content);
    expect([ran.code, ran.stdout.startsWith(`ci.yml:${message}`)], ran.stdout + ran.stderr).toEqual([1, true]);
  });

  it("does not check a file that is too large, and says so", async () => {
    const ran = await alone(`${head}${"# tide\n".repeat(40_000)}`);
    expect([ran.code, ran.stdout]).toEqual([0, ""]);
    expect(ran.stderr).toContain("ci.yml:1:1: not checked: The file is larger than 256 KiB\n");
  });

  it.each(readdirSync(sound))(
    "finds nothing wrong with the sound file %s, by LF and by CRLF and a BOM",
    async (name) => {
      const text = readFileSync(join(sound, name), "utf8");
      for (const one of [text, `\uFEFF${text.replaceAll("\n", "\r\n")}`]) {
        const ran = await alone(one);
        expect([ran.code, ran.stdout]).toEqual([0, ""]);
      }
    },
  );

  it("sees what << merges into a job and a map of variables", async () => {
    const merged = (key: string) =>
      alone(`on: push\nx-job: &job { ${key}: pier }\njobs:\n  a:\n    <<: *job\n    steps: [{ run: x }]\n`);
    expect((await merged("runs-on")).code).toBe(0);
    expect((await merged("runs_on")).stdout).toContain("error: Required property is missing: runs-on\n");
  });

  // In the square of their number it would be an hour.
  it("resolves 60,000 aliases in linear time", async () => {
    const file = `x-a: &a 1\nx-b: [${"*a,".repeat(60_000)}]\nx-c: &c { A: *a }\n${steps("- { run: x, env: { <<: *c } }")}`;
    expect(await alone(file)).toMatchObject({ code: 0, stdout: "" });
  });

  it("prints a finding a line, whatever the file contains, and no escape codes on a terminal", async () => {
    const name = '"a\\nci.yml:1:1: fine\\e[31m"';
    const file = `on: push\n${name}: 1\njobs: {}\n`;
    const cwd = folderOf({ "ci.yml": file });
    const { stdout } = await tongs(["workflow", "check", "ci.yml"], { cwd, env: { NO_COLOR: "1" }, terminal: true });
    expect(stdout.split("\n")[0]).toBe("ci.yml:2:1: error: Unknown key 'a ci.yml:1:1: fine␛[31m'");
  });

  it("reads stdin, and prints JSON with all findings", async () => {
    const ran = await tongs(["workflow", "check", "-", "--json"], { stdin: steps(`- run: echo \${{ steps.x.y }}`) });
    expect([ran.code, ran.json()]).toEqual([
      1,
      [
        {
          file: "stdin",
          line: 6,
          column: 19,
          severity: "error",
          message: "steps.x: job 'build' has no earlier step with the ID 'x'",
          rule: "steps",
        },
      ],
    ]);
  });

  it("checks all workflow files of the clone from any folder in it: exit code 5 if there is none", async () => {
    const cwd = folderOf(
      { ".gitea/workflows/deep/a.yml": right, ".gitea/workflows/b.yaml": right, "src/x.txt": "" },
      "/x",
    );
    const ran = await tongs(["workflow", "check"], { cwd: join(cwd, "src") });
    expect(ran.stderr).toContain("Checked 2 workflow files: 0 errors, 0 warnings\n");
    const none = await tongs(["workflow", "check"], { cwd: folderOf({}, "/x") });
    expect([none.code, none.stderr]).toEqual([5, expect.stringContaining("No workflow files found")]);
    expect(await tongs(["workflow", "check"])).toMatchObject({ code: 5 });
    const missing = await tongs(["workflow", "check", "no.yml"]);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining("Could not read no.yml: no such file")]);
  });

  it("does not look in this clone for what a file of another one uses", async () => {
    const other = join(folderOf({ "ci.yml": steps("- uses: ./tide") }), "ci.yml");
    const ran = await tongs(["workflow", "check", other, "--json"], { cwd: folderOf({}, "/x") });
    expect(briefly(ran)).toEqual([
      "6 unchecked action: ./tide: the workflow that uses it is not in a clone here, so it was not looked for",
    ]);
  });

  it("checks only the files if no remote is on the server of the profile that was named", async () => {
    const config = emptyFolder();
    const profiles = { work: { host: "http://127.0.0.1:9", user: "mara" } };
    writeFileSync(join(config, "config.json"), JSON.stringify({ profiles }), { mode: 0o600 });
    const env = { TONGS_CONFIG_DIR: config };
    for (const [remote, why] of [
      [undefined, "no git remotes found"],
      ["https://git.example.org/mara/atlas.git", "none of the git remotes points to "],
    ] as const) {
      const cwd = folderOf({ "ci.yml": right }, remote);
      for (const more of [[], ["--profile", "work"]]) {
        const ran = await tongs(["workflow", "check", "ci.yml", ...more], { cwd, env });
        expect([ran.code, ran.stderr]).toEqual([
          0,
          expect.stringContaining(`Checked only the files, not what a server has: No repository selected: ${why}`),
        ]);
      }
    }
    const wrong = ["--profile", "work", "workflow", "check", "ci.yml", "-R", "x"];
    expect((await tongs(wrong, { cwd: folderOf({ "ci.yml": right }), env })).code).toBe(2);
  });

  it("fails if the server that was named is not known", async () => {
    const cwd = folderOf({ "ci.yml": right });
    expect((await tongs(["workflow", "check", "ci.yml", "--profile", "nowhere"], { cwd })).code).toBe(2);
  });
});

describe("tongs workflow check --online", () => {
  it("sends no credentials of the user, and does not wait for ever", async () => {
    const asks = { status: 401, headers: { "WWW-Authenticate": "Basic realm=quay" }, body: "" };
    const server = await serve(({ url }) => (url.includes("/slow/") ? new Promise(() => {}) : asks));
    const home = emptyFolder();
    const { host } = new URL(server.url);
    writeFileSync(join(home, ".netrc"), "machine 127.0.0.1 login mara password not-a-password\n", { mode: 0o600 });
    const header = `[http]\n\textraHeader = "Authorization: Basic bm90LWEtcGFzc3dvcmQ="\n`;
    const helper = "[credential]\n\thelper = !echo username=mara; echo password=not-a-password; :\n";
    writeFileSync(join(home, ".gitconfig"), header + helper);
    const env = {
      HOME: home,
      GIT_ASKPASS: "echo",
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "http.extraHeader",
      GIT_CONFIG_VALUE_0: "Authorization: Basic bm90LWEtcGFzc3dvcmQ=",
    };
    const text = steps(`- uses: ${server.url}/mara/lamp@v1`, `- uses: ${server.url}/slow/lamp@v1`);
    const cwd = folderOf({ "ci.yml": text });
    const ran = await tongs(["workflow", "check", "ci.yml", "--online", "--timeout", "1", "--json"], { cwd, env });
    expect([ran.code, briefly(ran)]).toEqual([
      0,
      [
        expect.stringContaining(`6 unchecked action: http://${host}/mara/lamp cannot be read (fatal: `),
        `7 unchecked action: http://${host}/slow/lamp did not answer within 1 s`,
      ],
    ]);
    expect(server.seen.map(({ headers }) => headers["authorization"])).toEqual([undefined, undefined]);
  });
});

describe.each([["gitea"], ["forgejo"]] as const)("tongs workflow check on %s", (product) => {
  const isForgejo = product === "forgejo";
  let box: OnSandbox;
  beforeAll(async () => {
    box = await onSandbox({ release: parseRelease(product) });
    await box.ask("POST", "/orgs", "mara", { username: "tidewater" });
    await box.ask("POST", "/orgs/tidewater/repos", "mara", { name: "pier", auto_init: true });
    await box.ask("POST", "/user/repos", "mara", { name: "buoy", auto_init: true });
    await box.ask("PUT", "/repos/tidewater/pier/collaborators/jonas", "mara", { permission: "write" });
    const secret = { data: "not-a-secret" };
    await box.ask("PUT", "/repos/tidewater/pier/actions/secrets/DEPLOY_KEY", "mara", secret);
    await box.ask("PUT", "/orgs/tidewater/actions/secrets/ORG_KEY", "mara", secret);
    await box.ask("POST", "/repos/tidewater/pier/actions/variables/HOST", "mara", { value: "x" });
    await box.ask("POST", "/orgs/tidewater/actions/variables/ORG_HOST", "mara", { value: "x" });
    await box.ask("POST", "/user/actions/variables/OWN_HOST", "mara", { value: "x" });
    await runner("docker", "harbormaster", ["--admin"]);
    for (const repo of ["tidewater/pier", "mara/buoy"]) await runner("pier", "mara", ["-R", repo]);
    await runner("tide", "mara", ["--org", "tidewater"]);
    const off = await box.run(["runner", "token", "--admin"]);
    await register({ token: off.stdout.trim(), name: "off", labels: ["sleeping"] });
  });

  /** Adds a runner with one label, which comes online. */
  async function runner(label: string, as: string, level: readonly string[]): Promise<void> {
    const { stdout } = await box.run(["runner", "token", ...level], { as });
    const { token } = (await register({ token: stdout.trim(), name: label, labels: [label, "linux"] })).runner;
    await rpc("Declare", { token, labels: [label, "linux"] }, token);
  }

  const register = (body: object) => rpc("Register", body) as Promise<{ runner: { token: string } }>;

  async function rpc(method: string, body: object, token = ""): Promise<unknown> {
    const response = await fetch(`${box.url}/api/actions/runner.v1.RunnerService/${method}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "x-runner-token": token },
      body: JSON.stringify(body),
    });
    return response.json();
  }

  /** Checks files in a clone of a repository. */
  async function check(
    files: Readonly<Record<string, string>>,
    { repo = "tidewater/pier", args = [], ...world }: World & { repo?: string; as?: string; args?: string[] } = {},
  ): Promise<Ran> {
    const cwd = folderOf(files, `${box.url}/${repo}.git`);
    return box.run(["workflow", "check", "--json", ...args], { as: "mara", ...world, cwd });
  }

  const ci = (text: string) => ({ ".gitea/workflows/ci.yml": text });

  it("finds secrets and variables that neither the repository nor its owner has", async () => {
    const names = `\${{ secrets.deploy_key }} \${{ secrets.ORG_KEY }} \${{ secrets.GITHUB_TOKEN }} \${{ secrets.GITEA_TOKEN }}`;
    const right = await check(ci(steps(`- run: ${names} \${{ vars.HOST }} \${{ vars.org_host }}`)));
    expect([right.code, briefly(right)]).toEqual([0, []]);
    const wrong = await check(
      ci(
        steps(
          `- run: \${{ secrets.DEPLOY_KEYS }} \${{ vars.HOSTS }}`,
          "- if: vars.DRY || secrets.NONE == ''",
          "  run: x",
          "- if: vars.DEPLOY",
          "  run: x",
        ),
      ),
    );
    expect([wrong.code, briefly(wrong)]).toEqual([
      1,
      [
        "6 error secret: The secret 'DEPLOY_KEYS' does not exist (did you mean DEPLOY_KEY?)",
        "6 error variable: The variable 'HOSTS' does not exist (did you mean HOST?)",
        expect.stringContaining("7 warning"),
        expect.stringContaining("7 warning"),
        "9 warning variable: The variable 'DEPLOY' does not exist",
      ],
    ]);
  });

  it("fails for a repository that is not there (5), and for a token that is not taken (4), as other commands", async () => {
    const text = steps(`- run: \${{ secrets.NONE }}`);
    const missing = await check(ci(text), { repo: "mara/none" });
    expect([missing.code, missing.stderr]).toEqual([5, expect.stringMatching(/mara\/none.* not found/)]);
    const env = { TONGS_HOST: box.url, TONGS_TOKEN: "not-a-token" };
    const revoked = await check(ci(text), { env });
    expect([revoked.code, revoked.stderr]).toEqual([4, expect.stringContaining("Authentication failed")]);
    const uses = await check(ci(`on: push\njobs:\n  a:\n    uses: mara/x/ci.yml@main\n`), { env });
    expect(uses.code).toBe(4);
  });

  it("takes secrets that callers pass, and the token of Forgejo only there", async () => {
    const called = `on:\n  workflow_call:\n    secrets:\n      given: { required: true }\n${steps(`- run: \${{ secrets.GIVEN }} \${{ secrets.FORGEJO_TOKEN }}`).replace("on: push\n", "")}`;
    const ran = await check(ci(called));
    expect(briefly(ran)).toEqual(
      isForgejo ? [] : [expect.stringContaining("error secret: The secret 'FORGEJO_TOKEN' does not exist")],
    );
  });

  it("does not call missing what may not be read", async () => {
    const text = steps(`- run: \${{ secrets.NONE }} \${{ vars.NONE }}`).replace("pier", "none");
    const ran = await check(ci(text), { as: "jonas" });
    expect([ran.code, briefly(ran).map((line) => line.replace(/ \(.*\)/, ""))]).toEqual([
      0,
      [
        "4 unchecked label: Runners with the label 'none': the runners of tidewater/pier cannot be read",
        "6 unchecked secret: The secret 'NONE': the secrets of tidewater/pier cannot be read",
        "6 unchecked variable: The variable 'NONE': the variables of tidewater/pier cannot be read",
      ],
    ]);
    const own = await check(ci(steps(`- run: \${{ secrets.NONE }} \${{ vars.OWN_HOST }}`)), { repo: "mara/buoy" });
    expect(briefly(own)).toEqual([
      "6 unchecked secret: The secret 'NONE': no server lists the secrets of a user (mara)",
    ]);
    const missing = await check(ci(steps(`- run: \${{ vars.NONE }}`)), { repo: "mara/buoy" });
    expect(briefly(missing)).toEqual(["6 error variable: The variable 'NONE' does not exist"]);
    const text2 = await box.run(["workflow", "check"], {
      as: "jonas",
      cwd: folderOf(ci(text), `${box.url}/tidewater/pier.git`),
    });
    expect([text2.stdout, text2.stderr]).toEqual([
      "",
      expect.stringContaining(".gitea/workflows/ci.yml:4:14: not checked: Runners with the label 'none': "),
    ]);
  });

  const job = (runsOn: string, matrix = "") =>
    `on: push\njobs:\n  a:\n    runs-on: ${runsOn}\n${matrix && `    strategy:\n      matrix: ${matrix}\n`}    steps: [{ run: x }]\n`;

  it("finds no error in what both servers run and GitHub does not take", async () => {
    const text = `on:
  push:
  workflow_dispatch: { inputs: }
  schedule: [{ cron: "0 4 ? * SUN" }]
concurrency: { cancel-in-progress: yes }
jobs:
  a.b:
    runs-on: pier
    continue-on-error: Yes
    strategy: { fail-fast: no, matrix: { os: linux } }
    steps:
      - { id: x, run: "echo \${{ matrix.os }}", continue-on-error: off }
  3.9:
    needs: a.b
    runs-on: \${{ matrix.os }}
    strategy: { matrix: { os: pier } }
    steps: [{ run: make }]
`;
    expect(briefly(await check(ci(text)))).toEqual([]);
    const quoted = await check(ci(text.replace("fail-fast: no", "fail-fast: 'no'").replace("0 4 ?", "0 44 ?")));
    expect(briefly(quoted).filter((line) => line.includes(" error "))).toEqual([
      expect.stringContaining("4 error syntax: Invalid cron expression"),
      expect.stringContaining("10 error syntax: Unexpected"),
    ]);
  });

  it("refuses events that no server has, and keys that an event does not have", async () => {
    const found = async (on: string) => briefly(await check(ci(right.replace("on: push", `on: ${on}`))));
    expect(await found("{ push: { branch: [main] } }")).toEqual(["1 error syntax: Unknown key 'branch'"]);
    const event =
      "1 error event: No server starts workflows on 'pull_requests' (did you mean pull_request or pull_request_sync?)";
    expect(await found("{ pull_requests: }")).toEqual([event]);
    expect(await found("[push, pull_requests]")).toEqual([event]);
  });

  it("finds labels that no runner has, as the administrator, who may read all runners", async () => {
    const as = { as: "harbormaster" };
    for (const right of ["docker", "pier", "tide", "[docker, linux]", "{ labels: [docker] }"])
      expect([right, briefly(await check(ci(job(right)), as))]).toEqual([right, []]);
    expect(briefly(await check(ci(job("dokcer")), as))).toEqual([
      "4 error label: No runner has the label 'dokcer', so job 'a' waits for ever (did you mean docker?)",
    ]);
    // What the expression lacks is said once, and not that no runner has its text as label.
    expect(briefly(await check(ci(job(`\${{ env.X || 'docker' }}`)), as))).toEqual([
      "4 error syntax: Unrecognized named-value: 'env'",
    ]);
    expect(briefly(await check(ci(job("[docker, tide]")), as))).toEqual([
      "4 error label: No runner has all of the labels 'docker', 'tide', so job 'a' waits for ever",
    ]);
    expect(briefly(await check(ci(job("sleeping")), as))).toEqual([
      "4 warning label: Only runners that are offline have the label 'sleeping'",
    ]);
  });

  it("resolves labels by a static matrix, and says which it cannot", async () => {
    const as = { as: "harbormaster" };
    const of = async (runsOn: string, matrix?: string) => briefly(await check(ci(job(runsOn, matrix)), as));
    expect(await of(`\${{ matrix.os }}`, "{ os: [docker, pier], include: [{ os: tide }] }")).toEqual([]);
    expect(await of(`\${{ matrix.os }}`, "{ os: [docker, none] }")).toEqual([expect.stringContaining("'none'")]);
    const unknown = "4 unchecked label: The labels of job 'a' are known only when it runs";
    expect(await of(`\${{ vars.HOST }}`)).toEqual([unknown]);
    expect(await of(`\${{ matrix.os }}`, `{ os: '\${{ fromJSON(vars.HOST) }}' }`)).toEqual([unknown]);
    expect(await of(`\${{ matrix.os }}-1`, "{ os: [docker] }")).toEqual([unknown]);
  });

  it("knows what each server ignores", async () => {
    const text = `on: [push, workflow_run]\n${steps(`- run: echo \${{ forgejo.ref }}`).replace("on: push\n", "")}`;
    const ran = await check(ci(text));
    expect([ran.code, briefly(ran)]).toEqual(
      isForgejo
        ? [0, ["1 warning event: Forgejo starts no workflow on 'workflow_run'"]]
        : [1, ["6 error context: Gitea has no context 'forgejo'; both have 'gitea'"]],
    );
  });

  it("does not check a file of several YAML documents, of which servers read the first", async () => {
    const ran = await check(ci(`${right}---\nx: 1\n`));
    expect(briefly(ran)).toEqual([expect.stringContaining("unchecked syntax: Servers read only the first")]);
  });

  it("takes on Gitea, and where no server is known, what Gitea takes and Forgejo does not", async () => {
    const text = steps("- run: x", "  env:", "  timeout-minutes: '5'")
      .replace("jobs:", `x-more: 1\nenv:\n  OS: \${{ runner.os }}\njobs:`)
      .replace("    steps:", `    env: { MORE: "\${{ env.OS }}" }\n    steps:`);
    const refused = [
      "2 error syntax: Unknown key 'x-more'",
      "11 error syntax: 'env' must not be empty",
      "12 error syntax: 5 must not be in quotes here",
    ];
    expect(briefly(await check(ci(text)))).toEqual(isForgejo ? refused : []);
    expect(briefly(await tongs(["workflow", "check", "-", "--json"], { stdin: text }))).toEqual([]);
  });

  it("takes a group of runners as a label, as the servers do", async () => {
    const text = right.replace("runs-on: pier", "runs-on: { group: big, labels: [ubuntu-latest] }");
    const found = await check(ci(text), { as: "harbormaster" });
    expect(briefly(found)).toEqual([
      expect.stringMatching(/label: No runner has all of the labels 'ubuntu-latest', 'big'|'big', 'ubuntu/),
    ]);
  });

  it("does not check .github beside a folder of the servers, unless it is named", async () => {
    const files = { ...ci(right), ".github/workflows/ci.yml": "no: 1\n" };
    expect(briefly(await check(files))).toEqual([]);
    expect((await check(files, { args: [".github/workflows"] })).code).toBe(1);
  });

  it("looks for actions in the clone and on this server, and elsewhere only with --online", async () => {
    await box.ask("POST", "/orgs/tidewater/repos", "mara", { name: "tools", auto_init: true, default_branch: "main" });
    await box.ask("POST", "/orgs/tidewater/repos", "mara", { name: "hidden", private: true, auto_init: true });
    const put = (path: string) =>
      box.ask("POST", `/repos/tidewater/tools/contents/${path}`, "mara", { content: "", branch: "main", message: "x" });
    await put("lamp/action.yml");
    await put(".gitea/workflows/reused.yml");
    const right = {
      ...ci(
        `${steps("- uses: ./tide", `- uses: ${box.url}/tidewater/tools/lamp@main`, "- uses: docker://alpine:3")}  b:\n    uses: tidewater/tools/.gitea/workflows/reused.yml@main\n  c:\n    uses: ./.gitea/workflows/called.yml\n`,
      ),
      ".gitea/workflows/called.yml": job("pier").replace("on: push", "on: workflow_call"),
      "tide/action.yaml": "runs: { using: composite, steps: [{ run: x }] }\n",
    };
    expect(briefly(await check(right))).toEqual([]);
    const wrong = ci(
      `${steps(
        "- uses: ./tide",
        `- uses: ${box.url}/tidewater/tools/lamp@v9`,
        `- uses: ${box.url}/tidewater/tools@main`,
        `- uses: ${box.url}/tidewater/hidden@main`,
        "- uses: actions/checkout@v4",
        "  with: { path: out }",
        "- uses: ./out/action",
        "- uses: ./../outside",
      )}  b:\n    uses: tidewater/tools/.gitea/workflows/none.yml@main\n  c:\n    uses: ./none.yml\n`,
    );
    const ran = await check(wrong, { as: "jonas" });
    expect(briefly(ran)).toEqual([
      expect.stringContaining("4 unchecked label"),
      "6 error action: ./tide does not exist",
      "7 error action: tidewater/tools has no lamp at v9",
      "8 error action: tidewater/tools has no action.yml, action.yaml, Dockerfile at main",
      expect.stringMatching(/^9 unchecked action: tidewater\/hidden on \S+ does not exist, or you may not read it$/),
      "10 unchecked action: actions/checkout@v4: other servers are only asked with --online",
      "12 unchecked action: ./out/action does not exist",
      "13 unchecked action: ./../outside is outside of the repository",
      "15 error action: .gitea/workflows of tidewater/tools has no none.yml at main",
      "17 error action: ./none.yml does not exist",
    ]);
  });

  it("looks on other hosts with --online, without credentials", async () => {
    const other = await onSandbox();
    await other.ask("POST", "/user/repos", "mara", { name: "lamp", auto_init: true, default_branch: "main" });
    const uses = (ref: string) => `- uses: ${other.url}/mara/lamp@${ref}`;
    const text = steps(uses("main"), uses("v9"), `- uses: ${other.url}/mara/none@main`, "- uses: http://x:y@h/a/b@c");
    const ran = await check(ci(text), { args: ["--online"] });
    expect(briefly(ran)).toEqual([
      `7 error action: ${other.url}/mara/lamp has no branch or tag 'v9'`,
      expect.stringContaining(`8 unchecked action: ${other.url}/mara/none cannot be read`),
      "9 error action: A URL of uses must not have a user or password",
    ]);
  });

  it("sends no request that no file needs, and none twice", async () => {
    const seen = async (text: string, as = "mara") => {
      const before = box.requests();
      await check(ci(text), { as, env: { XDG_CACHE_HOME: cache } });
      return box.requests() - before;
    };
    const cache = emptyFolder();
    await check(ci("on: [workflow_run]\njobs: {}\n"), { env: { XDG_CACHE_HOME: cache } });
    expect(await seen("on: push\njobs:\n  a:\n    uses: ./x.yml\n")).toBe(0);
    expect(await seen(job("pier"))).toBe(1);
    expect(await seen(steps(`- run: \${{ secrets.DEPLOY_KEY }}`, `- run: \${{ secrets.DEPLOY_KEY }}`))).toBe(2);
  });
});
