import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { emptyFolder } from "../support/tongs.ts";

interface Description {
  readonly operations: Record<string, { readonly query: Record<string, string> }>;
  readonly records: Record<string, Record<string, string>>;
}
interface Release {
  readonly product: string;
  readonly version: string;
}
interface Drift {
  drift(described: Description, release: Release): string[];
  reduced(document: unknown): Description;
  releaseIn(document: unknown, source: string): Release;
  sinceLastTime(lines: readonly string[], name: string, folder: string): string[];
}
const script = "../../scripts/drift.mjs";
const { drift, reduced, releaseIn, sinceLastTime } = (await import(script)) as Drift;

const folder = join(import.meta.dirname, "../data/releases");
const files = readdirSync(folder).filter((name) => name.endsWith(".json"));
const read = (name: string) => JSON.parse(readFileSync(join(folder, name), "utf8")) as Description;

describe("the table of releases", () => {
  it("is made of 18 descriptions", () => {
    expect(files).toHaveLength(18);
  });

  it.each(files)("has what %s describes, and nothing else but what the overrides give a reason for", (name) => {
    const described = read(name);
    expect(drift(described, releaseIn(described, name))).toEqual([]);
  });

  it("differs from a description with other operations, parameters and fields", () => {
    const described = read("gitea-1.26.0.json");
    const { "GET /version": _gone, ...operations } = described.operations;
    operations["GET /weather"] = { query: {} };
    operations["GET /repos/search"] = { query: { ...operations["GET /repos/search"]?.query, tide: "string" } };
    const records = { ...described.records, Label: { ...described.records["Label"], tide: "string" } };
    expect(drift({ operations, records }, { product: "gitea", version: "1.26" })).toEqual([
      "+ GET /repos/search ?tide",
      "+ GET /weather",
      "+ Label.tide",
      "- GET /version",
    ]);
  });

  it("is compared again: what is new since the last time is marked", () => {
    const folder = emptyFolder();
    const compare = (...lines: string[]) => sinceLastTime(lines, "http://127.0.0.1/swagger.v1.json", folder);
    expect(compare("+ GET /a")).toEqual(["+ GET /a"]);
    expect(compare("+ GET /a", "+ GET /b")).toEqual(["+ GET /a", "+ GET /b (new)"]);
    expect(compare("+ GET /a", "+ GET /b")).toEqual(["+ GET /a", "+ GET /b"]);
  });

  it("is compared with the release that a description says, or its file", () => {
    const published = { info: { version: "16.0.1+gitea-1.22.0" }, paths: { "/version": { get: {} } }, definitions: {} };
    expect(releaseIn(published, "http://127.0.0.1/swagger.v1.json")).toEqual({ product: "forgejo", version: "16.0" });
    expect(releaseIn(read("gitea-28.1.0.json"), "gitea-28.1.0.json")).toEqual({ product: "gitea", version: "28" });
    expect(reduced(published).operations).toEqual({ "GET /version": { query: {} } });
    expect(() => releaseIn({}, "description.json")).toThrow("does not say its version");
  });
});
