import type { Command } from "../../app/define.ts";
import { givenText } from "../../app/input.ts";
import { inRepository, resource } from "../../app/resource.ts";
import { repoPage } from "../../app/web.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { inputFile, text } from "../../command/flags.ts";
import type { Table } from "../../command/table.ts";
import { UsageError } from "../../failure/failure.ts";
import { type GitHook, gitHook, gitHookDelete, gitHookEdit, gitHookGet, gitHookList } from "../../forge/hooks.ts";
import { call } from "../../forge/operation.ts";
import { styled } from "../../output/cells.ts";
import { column } from "../../output/table.ts";
import { commandIn } from "../../profiles/server.ts";
import { keepingText } from "../../prompts/keep-text.ts";
import { fullName } from "../../repo/repo-name.ts";

const hooks = resource({
  ...inRepository,
  noun: ["git hook", "git hooks"],
  a: "a git hook",
  record: gitHook,
  argument: {
    key: "name",
    one: "pre-receive, update or post-receive",
    many: "pre-receive, update or post-receive",
  },
  get: (id, { http, repo }) => call(http, gitHookGet, { repo, id }),
  target: () => (name) => ({ name }),
  name: ({ name }: Pick<GitHook, "name">) => `git hook ${name}`,
  page: ({ name }, repo) => repoPage(repo, "settings/hooks/git", name),
});

/** The verbs of `tongs hook git`. */
export const verbs: Table<Command> = {
  list: hooks.list({
    details: "Requires the permission to edit git hooks, which the server can disable for everyone.",
    columns: [
      column<GitHook>("NAME", "name", { style: "strong" }),
      column<GitHook>("STATE", "is_active", (hook) =>
        hook.is_active ? styled("good", "active") : styled("dim", "inactive"),
      ),
    ],
    fetch: ({ http, repo }) => call(http, gitHookList, { repo }),
    page: ({ repo }) => repoPage(repo, "settings/hooks/git"),
    examples: [["List the git hooks of the current repository", "tongs hook git list"]],
  }),
  view: hooks.view({
    sheet: (hook) => ({
      title: hook.name,
      fields: [["state", hook.is_active ? "active" : "inactive"]],
      body: hook.content,
    }),
    examples: [
      ["View a git hook", "tongs hook git view pre-receive"],
      ["Save the script of a git hook", "tongs hook git view pre-receive --jq .content > pre-receive"],
    ],
  }),
  edit: writeCommand({
    summary: "Edit a git hook",
    details: "Replaces the script, which the server runs on every push. On a terminal, opens it in the editor.",
    on: "repository",
    asTool: "destroy",
    args: { name: one("pre-receive, update or post-receive") },
    flags: {
      content: text("the script"),
      contentFile: inputFile("read the script from a file"),
    },
    exclusive: [["content", "contentFile"]],
    output: gitHook,
    async work({ args: { name: id }, flags, http, repo, server, out, prompt, system }) {
      const given = await givenText(system, { text: flags.content, file: flags.contentFile, flag: "--content-file" });
      if (given === undefined && !prompt.able) throw new UsageError("--content-file is required");
      const question = { message: `Script of ${id}`, flag: "--content-file" };
      const edit = async () =>
        prompt.editor({ ...question, default: (await call(http, gitHookGet, { repo, id })).content ?? "" });
      const content = given ?? (await edit());
      if (content.trim() === "") {
        throw new UsageError(
          "The script is empty",
          `To delete it, run: ${commandIn({ server, repo }, `tongs hook git delete ${id}`)}`,
        );
      }
      const isTyped = given === undefined || flags.contentFile === "-";
      const typed = isTyped ? { text: content, flag: "--content-file" } : undefined;
      const record = await keepingText(typed, out, () => call(http, gitHookEdit, { repo, id }, { content }));
      return { done: `Updated git hook ${id} of ${fullName(repo)}`, record };
    },
    examples: [["Replace a git hook", "tongs hook git edit pre-receive --content-file pre-receive.sh"]],
  }),
  delete: hooks.delete({
    sends: gitHookDelete,
    summary: "Delete the scripts of git hooks",
    work: ({ name }, { http, repo }) => call(http, gitHookDelete, { repo, id: name }),
    examples: [["Delete a git hook", "tongs hook git delete pre-receive --yes"]],
  }),
};
