import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { call } from "../../forge/operation.ts";
import { languages, repoLanguageList } from "../../forge/repo-settings.ts";
import { column } from "../../output/table.ts";
import { repoArgument } from "./arguments.ts";

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
