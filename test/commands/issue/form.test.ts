import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bodyOfForm, type Field, fieldsOfForm, missingFields, readFields } from "../../../src/commands/issue/form.ts";
import { asAsked } from "../../support/as-asked.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";
import { type Scripted, scripted } from "../pr/scripted.ts";

const field = (type: string, id: string, attributes: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type,
  id,
  attributes,
  validations: null,
  visible: ["form", "content"],
  ...more,
});

const body = [
  field("markdown", "0", { value: "Thank you." }, { visible: ["form"] }),
  field("input", "where", { label: "Where", description: "Which tower" }, { validations: { required: true } }),
  field("input", "count", { label: "Count" }, { validations: { is_number: true } }),
  field("textarea", "what", { label: "What happened", render: "bash" }),
  field("dropdown", "level", { label: "How bad", options: ["low", "high"], default: 1 }),
  field("dropdown", "when", { label: "When", options: ["day", "night"], multiple: true, list: true }),
  field("checkboxes", "sure", {
    label: "Checks",
    options: [
      { label: "I looked", required: true },
      { label: "Only here", visible: ["form"] },
    ],
  }),
];

const templates = [
  {
    name: "Bug report",
    title: "[Bug] ",
    labels: ["lamp", "gone"],
    assignees: ["jonas"],
    file_name: ".gitea/ISSUE_TEMPLATE/bug.yaml",
    body,
  },
  { name: "Idea", title: "", content: "\nTell us.\n", body: null, file_name: ".gitea/ISSUE_TEMPLATE/idea.md" },
];

const made = (given: Record<string, unknown> = {}) => ({
  id: 1,
  number: 9,
  title: "x",
  state: "open",
  html_url: "http://h/mara/harbor/issues/9",
  labels: [{ id: 7, name: "lamp" }],
  assignees: [{ login: "jonas" }],
  milestone: null,
  ...given,
});

async function open(): Promise<Scripted> {
  return scripted({
    "GET /issue_templates": { body: templates },
    "GET /issue_config": {
      body: {
        blank_issues_enabled: true,
        contact_links: [{ name: "Office", url: "https://o.example", about: "Urgent" }],
      },
    },
    "GET /labels": { body: [{ id: 7, name: "lamp" }] },
    "POST /issues": asAsked(made()),
  });
}

/** The values of fields that are typed. */
const read = (fields: readonly Field[], typed: readonly string[]) =>
  readFields(fields, typed, new AbortController().signal);

describe("the body of a form", () => {
  const fields = fieldsOfForm({ body });

  it("has a heading and a value for each field, as the web form makes it", async () => {
    const values = await read(fields, ["where=north", "what=```\nls\n```", "when=night", "when=day", "sure=i looked"]);
    expect(bodyOfForm(fields, values)).toBe(
      [
        "### Where\n\nnorth\n",
        "### Count\n\n_No response_\n",
        "### What happened\n\n````bash\n```\nls\n```\n````\n",
        "### How bad\n\nhigh\n",
        "### When\n\n- day\n- night\n",
        "### Checks\n\n- [x] I looked\n",
        "",
      ].join("\n"),
    );
  });

  it("shows Markdown and hides a label where the template says so", async () => {
    const shown = fieldsOfForm({
      body: [
        field("markdown", "note", { value: "Note" }),
        field("input", "where", { label: "Where", hide_label: true, value: "north" }),
        field("unknown", "x", { label: "X" }),
      ],
    });
    expect(bodyOfForm(shown, await read(shown, []))).toBe("Note\n\nnorth\n\n");
  });

  it("names every required field and checkbox that is missing", async () => {
    expect(missingFields(fields, await read(fields, ["where= "]))).toEqual([
      "--field where",
      "--field 'sure=I looked'",
    ]);
  });

  it.each([
    ["north", "must be ID=VALUE"],
    ["0=x", "Unknown field '0'"],
    ["tower=x", "Unknown field 'tower'"],
    ["level=worse", "Invalid value 'worse' for field 'level'"],
    ["count=many", "must be a number"],
  ])("refuses --field %s", async (typed, message) => {
    await expect(read(fields, [typed])).rejects.toThrow(message);
  });

  it.each([
    ["1.2.3", "^\\d+\\.\\d+", false],
    ["1.2", "\\d+\\.\\d+", true],
    ["", "\\d+", true],
    ["any", "(", true],
    [`${"a".repeat(40)}!`, "(a+)+b", true],
  ])(
    "takes %j for an input that must match %s as a browser does, and no longer than a second: %s",
    async (typed, regex, ok) => {
      const version = fieldsOfForm({ body: [field("input", "v", { label: "V" }, { validations: { regex } })] });
      const values = read(version, [`v=${typed}`]);
      if (ok) expect((await values).get("v")).toEqual([typed]);
      else await expect(values).rejects.toThrow(`Invalid value '${typed}' for field 'v': must match ${regex}`);
    },
  );

  it("takes one value for a field that is not a list", async () => {
    await expect(read(fields, ["level=low", "level=high"])).rejects.toThrow("takes one value");
  });

  it("bears records of any shape", async () => {
    const odd = fieldsOfForm({ body: [field("dropdown", "a", { options: [null, 7, {}], label: 3, default: "x" })] });
    expect(bodyOfForm(odd, await read(odd, []))).toBe("### 3\n\n_No response_\n\n");
  });
});

describe("tongs issue create with a template", () => {
  it("names all that is missing in a script at once, and sends nothing", async () => {
    const { run, writes } = await open();
    const ran = await run(["issue", "create", "-T", "Bug report", "--field", "level=low"]);
    expect([ran.code, ran.stderr, writes()]).toEqual([
      2,
      expect.stringContaining("Missing: --title, --field where, --field 'sure=I looked'"),
      [],
    ]);
  });

  it("sends title, body, labels and assignees, and warns of a label that does not exist", async () => {
    const { run, writes } = await open();
    const fields = ["--field", "where=north", "--field", "sure=I looked"];
    const ran = await run(["issue", "create", "-T", "bug.yaml", "--title", "Dark", ...fields]);
    expect(ran).toMatchObject({ code: 0, stdout: "http://h/mara/harbor/issues/9\n" });
    expect(ran.stderr).toContain("label that does not exist: gone");
    expect(writes()).toEqual([
      [
        "POST /issues",
        expect.objectContaining({
          title: "Dark",
          labels: [7],
          assignees: ["jonas"],
          body: expect.stringContaining("### Where\n\nnorth\n"),
        }),
      ],
    ]);
  });

  it("asks for the template, each of its fields and the title on a terminal", async () => {
    const { run, writes } = await open();
    const answers = ["Bug report", "[Bug] Dark", "north", "3", "Leave it empty", "low", false, true, true, false];
    const ran = await run(["issue", "create"], { terminal: true, answers, env: { EDITOR: "true" } });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Office: Urgent (https://o.example)")]);
    expect(ran.asked).toEqual([
      "Template",
      "Title",
      "Where (Which tower)",
      "Count",
      "What happened",
      "How bad",
      "When: day",
      "When: night",
      "Checks: I looked",
      "Checks: Only here",
    ]);
    const [[, sent] = []] = writes();
    expect(sent).toMatchObject({
      title: "[Bug] Dark",
      body: expect.stringContaining("### How bad\n\nlow\n\n### When\n\n- night\n"),
    });
  });

  it("asks for the title of a blank issue where the server has no templates, or does not have the operation", async () => {
    const unknown = { status: 404, headers: { "content-type": "text/plain" }, body: "404 page not found\n" };
    for (const none of [{ body: null }, unknown]) {
      const server = await scripted({
        "GET /issue_templates": none,
        "POST /issues": asAsked(made()),
      });
      const ran = await server.run(["issue", "create"], { terminal: true, answers: ["Dark", "Leave it empty"] });
      expect([ran.code, ran.asked[0], ran.stderr]).toEqual([0, "Title", expect.stringContaining("Created issue")]);
    }
  });

  it("creates an issue from the prompts alone on the sandbox, which reads no templates", async () => {
    const sandbox = await onSandbox();
    const env = { TONGS_REPO: "mara/harbor" };
    const ran = await sandbox.run(["issue", "create"], {
      env,
      as: "mara",
      terminal: true,
      answers: ["Dark", "Leave it empty"],
    });
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining("Created issue mara/harbor#")]);
    const config = await sandbox.run(["issue", "config", "--check", "--json"], { env });
    expect(config.json()).toEqual({ blank_issues_enabled: true, contact_links: [], valid: true, message: "" });
  });

  it("asks again for a required checkbox that is not checked, and keeps the answers before it", async () => {
    const { run, writes } = await open();
    const answers = ["Dark", "north", "3", "Leave it empty", "low", false, true, false, false, true, false];
    const line = ["issue", "create", "-T", "Bug report"];
    const ran = await run(line, { terminal: true, answers, env: { EDITOR: "true" } });
    const again = "Checks: I looked (required; Ctrl-C cancels)";
    expect([ran.code, ran.asked.slice(-4)]).toEqual([0, ["Checks: I looked", again, again, "Checks: Only here"]]);
    expect(writes()).toEqual([
      ["POST /issues", expect.objectContaining({ body: expect.stringContaining("- [x] I looked") })],
    ]);
  });

  it("sends nothing when it is cancelled at a field", async () => {
    const { run, writes } = await open();
    const ran = await run(["issue", "create", "-T", "Bug report"], { terminal: true, answers: ["Dark"] });
    expect([ran.code, writes()]).toEqual([3, []]);
  });

  it("uses the text of a Markdown template", async () => {
    const { run, writes } = await open();
    await run(["issue", "create", "-T", "idea", "--title", "A bell"]);
    expect(writes()).toEqual([["POST /issues", { title: "A bell", body: "Tell us." }]]);
    expect((await run(["issue", "create", "-T", "idea", "--title", "x", "--field", "a=b"])).code).toBe(2);
    expect((await run(["issue", "create", "-T", "idea", "--title", "x", "--body", "y"])).code).toBe(2);
  });

  it("keeps a text that was typed when the server refuses the issue", async () => {
    const { run } = await scripted({ "POST /issues": { status: 423, body: { message: "repo is archived" } } });
    const ran = await run(["issue", "create", "--title", "Dark", "--body-file", "-"], {
      stdin: "Since nine.",
      cwd: emptyFolder(),
    });
    expect([ran.code, ran.stderr]).toEqual([
      9,
      expect.stringMatching(/Your text was saved. To use it, pass --body-file \S+text\.md/),
    ]);
  });

  it("says what the server left out, and not to create it again", async () => {
    const { run } = await scripted({
      "GET /labels": { body: [{ id: 7, name: "lamp" }] },
      "POST /issues": asAsked(made({ labels: [], assignees: null }), ["labels", "assignees"]),
    });
    const ran = await run(["issue", "create", "--title", "Dark", "--label", "lamp"]);
    expect([ran.code, ran.stdout]).toEqual([1, "http://h/mara/harbor/issues/9\n"]);
    expect(ran.stderr).toContain("did not apply labels to mara/harbor#9");
  });

  it("writes title and body in the editor, and uses what a failed run has saved", async () => {
    const { run, writes } = await open();
    const env = { EDITOR: "printf ' And dim.' >>" };
    const line = ["issue", "create", "-T", "idea", "--title", "Dark", "--editor"];
    expect(await run(line, { terminal: true, env })).toMatchObject({ code: 0, asked: [] });
    expect(writes()).toEqual([["POST /issues", { title: "Dark", body: "Tell us. And dim." }]]);

    const refusing = await scripted({ "POST /issues": { status: 423, body: { message: "repo is archived" } } });
    const failed = await refusing.run(["issue", "create", "--editor", "--title", "Dark"], { terminal: true, env });
    const file = /Your text was saved. To use it, pass --recover (\S+)/.exec(failed.stderr)?.[1] ?? "";
    expect([failed.code, readFileSync(file, "utf8")]).toEqual([9, "Dark And dim.\n"]);

    const later = await open();
    expect((await later.run(["issue", "create", "--recover", file])).code).toBe(0);
    expect(later.writes()).toEqual([["POST /issues", { title: "Dark And dim.", body: "" }]]);
  });

  it("refuses the editor for a form, without a terminal, and with another source of the text", async () => {
    const { run, writes } = await open();
    const terminal = { terminal: true, env: { EDITOR: "true" } };
    expect((await run(["issue", "create", "-T", "Bug report", "-e"], terminal)).code).toBe(2);
    expect((await run(["issue", "create", "--title", "x", "-e"])).code).toBe(2);
    for (const clash of [
      ["-e", "-w"],
      ["--recover", "f", "-t", "x"],
      ["--recover", "f", "-b", "x"],
    ]) {
      expect((await run(["issue", "create", ...clash], terminal)).code, clash.join(" ")).toBe(2);
    }
    expect(writes()).toEqual([]);
  });

  it("opens the page for a new issue with --web, filled in, and creates none", async () => {
    const { run, writes, server } = await open();
    const browser = join(emptyFolder(), "browser");
    writeFileSync(browser, `#!/bin/sh\necho "$1" > ${browser}.opened\n`);
    chmodSync(browser, 0o755);
    const env = { BROWSER: browser };
    const opened = () => readFileSync(`${browser}.opened`, "utf8").trim();
    expect(await run(["issue", "create", "--web"], { terminal: true, env })).toMatchObject({ code: 0, asked: [] });
    expect(opened()).toBe(`${server.url}/mara/harbor/issues/new`);
    const line = ["issue", "create", "-w", "-T", "Bug report", "-t", "Dark & dim", "--label", "lamp"];
    const filled = await run(line, { env });
    expect(filled).toMatchObject({
      code: 0,
      stdout: "",
      stderr: expect.stringContaining("Set in the browser: label\n"),
    });
    const query = "template=.gitea%2FISSUE_TEMPLATE%2Fbug.yaml&title=Dark+%26+dim";
    expect(opened()).toBe(`${server.url}/mara/harbor/issues/new?${query}`);
    const dry = await run(["issue", "create", "-w", "-t", "x", "-b", "y", "--dry-run"], { env });
    expect(dry.stderr).toContain(`Dry run: would open ${server.url}/mara/harbor/issues/new?title=x&body=y\n`);
    const long = await run(["issue", "create", "-w", "-t", "x", "-b", "y".repeat(9000)], { env });
    expect(long).toMatchObject({ code: 1, stderr: expect.stringContaining("too long") });
    expect(opened()).toContain("Dark");
    expect(writes()).toEqual([]);
  });
});
