import { describe, expect, it } from "vitest";
import { allCommands } from "../../src/command/write-help.ts";
import { contractOf } from "../../src/docs/schema/contract.ts";
import { schemaOfShape } from "../../src/docs/schema/json-schema.ts";
import { Failure } from "../../src/failure/failure.ts";
import { outcomes } from "../../src/failure/outcomes.ts";
import { failureJson } from "../../src/output/report-failure.ts";
import { boolean, integer, list, map, nullable, optional, record, string, time, words } from "../../src/shape/shape.ts";
import { tongs } from "../support/tongs.ts";
import { sampleTable } from "./sample.ts";

interface Described {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required: readonly string[];
}

interface Contract {
  readonly commands: readonly { readonly command: string; readonly effect: string }[];
  readonly exit_codes: readonly unknown[];
  readonly errors: readonly { readonly code: string; readonly exit_code: number; readonly meaning: string }[];
  readonly error: { readonly properties: Readonly<Record<string, Described>> };
  readonly global_flags: { readonly properties: Readonly<Record<string, unknown>> };
}

describe("tongs schema", () => {
  it("describes one command, always as JSON", async () => {
    const ran = await tongs(["schema", "pr", "view"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    expect(ran.json()).toMatchObject({
      commands: [{ command: "pr view", usage: "tongs pr view [PR] [flags]", effect: "read", needs: "repository" }],
    });
  });

  it("describes the commands of a noun, and all", async () => {
    const names = async (...typed: string[]) =>
      ((await tongs(["schema", ...typed])).json() as Contract).commands.map(({ command }) => command);
    expect(await names("pr")).toEqual(expect.arrayContaining(["pr list", "pr view"]));
    const all = await names();
    expect(all).toEqual(expect.arrayContaining(["pr list", "schema", "version"]));
    expect(new Set(all).size).toBe(all.length);
  });

  it("has a version of its own", async () => {
    const ran = await tongs(["schema", "version", "--json", "schema_version"]);
    expect(ran.json()).toEqual({ schema_version: 1 });
  });

  it("describes what all commands have in common", async () => {
    const whole = (await tongs(["schema", "version"])).json() as Contract;
    expect(whole.exit_codes).toContainEqual({
      code: 11,
      name: "partly",
      meaning: "a batch finished, some items failed; or only part was done",
    });
    expect(whole.global_flags.properties["dry-run"]).toMatchObject({ type: "boolean" });
  });

  it("lists the codes of errors with their exit codes, and describes an error", async () => {
    const { errors, error, exit_codes } = (await tongs(["schema", "version"])).json() as Contract;
    expect(errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ code: "exists", exit_code: 9 }),
        expect.objectContaining({ code: "ignored", exit_code: 1 }),
      ]),
    );
    expect(errors.map(({ code }) => code).sort()).toEqual(Object.keys(outcomes).sort());
    expect(exit_codes).toContainEqual({ code: 4, name: "denied", meaning: "not signed in, or not allowed (401, 403)" });
    const described = error.properties["error"];
    const details = { hint: "h", status: 1, method: "GET", path: "/", request: "r" };
    const failure = new Failure("ignored", "m", { ...details, fields: [{ name: "a", requested: 1, actual: null }] });
    const printed = JSON.parse(failureJson(failure, "t").piped) as { readonly error: object };
    expect(Object.keys(described?.properties ?? {}).sort()).toEqual(Object.keys(printed.error).sort());
    expect(described?.required).toEqual(["code", "message"]);
  });

  it("lists the exit codes of the monitoring plugin with it", async () => {
    const ran = await tongs(["schema", "metrics", "check", "--jq", ".commands[0].exit_codes[] | [.code, .name]"]);
    const codes = [
      ["0", "ok"],
      ["1", "warning"],
      ["2", "critical"],
      ["3", "unknown"],
    ];
    expect(ran.stdout.match(/\w+/g)).toEqual(codes.flat());
  });

  it("describes other spellings of a flag by what they mean", async () => {
    const ran = await tongs(["schema", "release", "list", "--jq", '.commands[0].flags.properties["exclude-drafts"]']);
    expect(ran.json()).toEqual({ description: "--no-draft", type: "boolean", deprecated: true });
  });

  it("accepts aliases, and suggests the nearest command for an unknown one", async () => {
    expect((await tongs(["schema", "pr", "ls"])).json()).toMatchObject({ commands: [{ command: "pr list" }] });
    const ran = await tongs(["schema", "pr", "veiw"]);
    expect(ran).toMatchObject({ code: 2, stdout: "" });
    expect(ran.stderr).toContain("Did you mean: tongs pr view?");
  });

  it("supports --json FIELDS and --jq like any record", async () => {
    const ran = await tongs(["schema", "pr", "--jq", ".commands[].effect"]);
    expect(ran.stdout).toMatch(/^(read|write|destroy)$/m);
  });

  it("describes arguments and flags by JSON Schema", async () => {
    const [list, paint] = contractOf(await allCommands(sampleTable)).commands;
    expect(list?.flags).toEqual({
      type: "object",
      properties: {
        state: { description: "in which [state]", type: "string", enum: ["open", "closed", "lost"] },
        label: { description: "with this label", type: "array", items: { type: "string" } },
        draft: { description: "drafts: or not", type: "boolean", negated: "--no-draft" },
        rowdy: { description: expect.any(String), type: "boolean", short: "-r" },
      },
      additionalProperties: false,
    });
    expect(paint).toMatchObject({
      effect: "destroy",
      output: null,
      arguments: { required: ["crate", "color"], properties: { color: { enum: ["red", "green"] } } },
    });
  });

  it("describes records by a JSON Schema that the records of later servers match, too", () => {
    const shape = record({
      id: integer,
      at: nullable(time),
      state: words("open", "closed"),
      tags: nullable(list(string)),
      extra: optional(map(boolean)),
    });
    expect(schemaOfShape(list(shape))).toEqual({
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "integer" },
          at: { type: ["string", "null"], format: "date-time" },
          state: { type: "string", examples: ["open", "closed"] },
          tags: { type: ["array", "null"], items: { type: "string" } },
          extra: { type: "object", additionalProperties: { type: "boolean" } },
        },
        required: ["id", "state", "tags"],
      },
    });
  });

  it("describes a record that occurs twice only once", () => {
    const user = record({ login: string });
    const shape = record({ poster: nullable(user), assignees: list(user), parent: nullable(record({ owner: user })) });
    const ref = { $ref: "#/$defs/poster" };
    expect(schemaOfShape(shape)).toEqual({
      type: "object",
      properties: {
        poster: { anyOf: [ref, { type: "null" }] },
        assignees: { type: "array", items: ref },
        parent: { type: ["object", "null"], properties: { owner: ref }, required: ["owner"] },
      },
      required: ["poster", "assignees", "parent"],
      $defs: { poster: { type: "object", properties: { login: { type: "string" } }, required: ["login"] } },
    });
  });
});
