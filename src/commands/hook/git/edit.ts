import { defineCommand } from "../../../app/define.ts";
import { givenText } from "../../../app/input.ts";
import { one } from "../../../command/args.ts";
import { text } from "../../../command/flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { gitHook, gitHookEdit, gitHookGet } from "../../../forge/hooks.ts";
import { call } from "../../../forge/operation.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { keepingText } from "../../../prompts/keep-text.ts";
import { fullName } from "../../../repo/repo-name.ts";

/** `tongs hook git edit`: PATCH /repos/{owner}/{repo}/hooks/git/{id}. */
export const edit = defineCommand({
  summary: "Edit a git hook",
  details: "Replaces the script, which the server runs on every push. On a terminal, opens it in the editor.",
  on: "repository",
  effect: "write",
  asTool: "destroy",
  args: { name: one("pre-receive, update or post-receive") },
  flags: {
    content: text("the script"),
    contentFile: text("read the script from a file; - reads stdin", { names: "input file", placeholder: "FILE" }),
  },
  exclusive: [["content", "contentFile"]],
  output: gitHook,
  examples: [["Replace a git hook", "tongs hook git edit pre-receive --content-file pre-receive.sh"]],
  async run({ args, flags, http, repo, out, prompt, server, system }) {
    const given = await givenText(system, { text: flags.content, file: flags.contentFile, flag: "--content-file" });
    const edited = async () => {
      const { content } = await call(http, gitHookGet, { repo, id: args.name });
      const question = { message: `Script of ${args.name}`, flag: "--content-file" };
      return prompt.editor({ ...question, default: content ?? "" });
    };
    if (given === undefined && !prompt.able) throw new UsageError("--content-file is required");
    const content = given ?? (await edited());
    if (content.trim() === "") {
      throw new UsageError("The script is empty", `To delete it, run: tongs hook git delete ${args.name}`);
    }
    const isTyped = given === undefined || flags.contentFile === "-";
    const record = await keepingText(isTyped ? { text: content, flag: "--content-file" } : undefined, out, () =>
      call(http, gitHookEdit, { repo, id: args.name }, { content }),
    );
    await out.done(`Updated git hook ${args.name} of ${fullName(repo)} ${accountLabel(server)}`, { record });
  },
});
