import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor } from "rolldown/utils";
import { expect, it } from "vitest";
import { outcomes } from "../../src/failure/outcomes.ts";

const src = join(import.meta.dirname, "../../src");

/** The strings that a file gives to what makes a failure, or to something named `code`. */
function codesIn(file: string): string[] {
  const found: string[] = [];
  let depth = 0;
  const within = (isMaker: boolean, change: 1 | -1): void => {
    if (isMaker) depth += change;
  };
  const isMaker = (callee: { readonly type: string; readonly name?: unknown }) =>
    callee.type === "Super" ||
    (callee.type === "Identifier" && /(Failure|Error|^fail|^changed|^reason|Code)$/.test(String(callee.name)));
  const isCode = (node: { readonly type: string; readonly name?: unknown }) =>
    node.type === "Identifier" && node.name === "code";
  new Visitor({
    NewExpression: ({ callee }) => within(isMaker(callee), 1),
    "NewExpression:exit": ({ callee }) => within(isMaker(callee), -1),
    CallExpression: ({ callee }) => within(isMaker(callee), 1),
    "CallExpression:exit": ({ callee }) => within(isMaker(callee), -1),
    VariableDeclarator: ({ id }) => within(isCode(id), 1),
    "VariableDeclarator:exit": ({ id }) => within(isCode(id), -1),
    Property: ({ key }) => within(isCode(key), 1),
    "Property:exit": ({ key }) => within(isCode(key), -1),
    Literal: ({ value }) => {
      if (typeof value === "string" && (depth > 0 || file.endsWith("statuses.ts"))) found.push(value);
    },
  }).visit(parseSync(file, readFileSync(file, "utf8")).program);
  return found;
}

it("every error code is one that something in src reports", () => {
  const files = readdirSync(src, { recursive: true, encoding: "utf8" }).filter(
    (name) => name.endsWith(".ts") && !/generated|outcomes\.ts$/.test(name),
  );
  const used = new Set(files.flatMap((name) => codesIn(join(src, name))));
  expect(Object.keys(outcomes).filter((code) => !used.has(code))).toEqual([]);
});

it("no meaning of an error code only repeats the code", () => {
  const little = new Set(
    "a an and are at be by for from has in is it no not of on or that the this to was with".split(" "),
  );
  const meanings = Object.entries(outcomes).map(([code, { meaning }]) => ({ code, meaning }));
  const repeats = meanings.filter(({ code, meaning }) => {
    const said = new Set(code.split("_"));
    return meaning.split(/[^\w]+/).filter((word) => word !== "" && !little.has(word) && !said.has(word)).length < 2;
  });
  expect(repeats).toEqual([]);
  expect(new Set(meanings.map(({ meaning }) => meaning)).size).toBe(meanings.length);
});
