import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { expect, it } from "vitest";

/** The beginning of a path of the API in a string: `"/repos/{owner}`, `` `/orgs/${org}` ``. */
const apiPath = /["'`]\/(?:api\/v1\/)?(?:repos|orgs|users?|admin|teams|packages|notifications)\/[{$]/;

it("only src/forge, and the routes of the sandbox, name a path of the API", () => {
  const source = join(import.meta.dirname, "../../src");
  const files = readdirSync(source, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/^(forge|sandbox)$/.test(name.split(sep)[0] ?? ""),
  );
  expect(files.length).toBeGreaterThan(500);
  // Examples of `tongs api` name paths, too.
  const codeOf = (name: string) => readFileSync(join(source, name), "utf8").replace(/"tongs [^"]*"/g, "");
  expect(files.filter((name) => apiPath.test(codeOf(name)))).toEqual([]);
  expect('call(http, "/orgs/{org}/labels")').toMatch(apiPath);
});
