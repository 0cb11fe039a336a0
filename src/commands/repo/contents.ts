import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { call } from "../../forge/operation.ts";
import { languages, licenseList, repoLanguageList } from "../../forge/repo-settings.ts";
import { column, wordColumn } from "../../output/table.ts";
import { list, string } from "../../shape/shape.ts";
import { repoArgument } from "./shared.ts";

/** `tongs repo license`: GET the licenses that the server found in a repository. */
export const license = defineCommand({
  summary: "List the licenses found in a repository",
  on: "repository",
  effect: "read",
  lists: ["license", "licenses"],
  args: { repo: repoArgument },
  output: list(string),
  examples: [["List the licenses", "tongs repo license mara/harbor"]],
  web: { page: ({ repo }) => repoPage(repo) },
  async run({ http, repo, out }) {
    await out.list(call(http, licenseList, { repo }), [wordColumn("NAME")]);
  },
});

interface Share {
  readonly language: string;
  readonly bytes: number;
  readonly percent: number;
}

/** `tongs repo language`: GET the bytes of code per language. */
export const language = defineCommand({
  summary: "List the languages of a repository",
  on: "repository",
  effect: "read",
  lists: ["language", "languages"],
  args: { repo: repoArgument },
  output: languages,
  examples: [
    ["List the languages", "tongs repo language mara/harbor"],
    ["Print the bytes of code per language", "tongs repo language --json"],
  ],
  web: { page: ({ repo }) => repoPage(repo) },
  async run({ http, repo, out }) {
    const found = await call(http, repoLanguageList, { repo });
    if (out.records) return out.record(found, () => ({ title: "", fields: [] }));
    const entries = Object.entries(found).sort(([, one], [, other]) => other - one);
    const total = entries.reduce((sum, [, bytes]) => sum + bytes, 0);
    const shares = entries.map(([language, bytes]) => ({ language, bytes, percent: (100 * bytes) / total }));
    await out.list(shares, [
      column<Share>("LANGUAGE", "language"),
      column<Share>("PERCENT", "percent", (share) => share.percent.toFixed(1)),
      column<Share>("BYTES", "bytes"),
    ]);
  },
});
