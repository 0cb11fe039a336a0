import { defineCommand } from "../../../app/define.ts";
import { repoPage } from "../../../app/web.ts";
import { one } from "../../../command/args.ts";
import { gitHook, gitHookGet } from "../../../forge/hooks.ts";
import { call } from "../../../forge/operation.ts";

/** `tongs hook git view`: GET /repos/{owner}/{repo}/hooks/git/{id}. */
export const view = defineCommand({
  summary: "View a git hook",
  on: "repository",
  effect: "read",
  args: { name: one("pre-receive, update or post-receive") },
  output: gitHook,
  examples: [
    ["View a git hook", "tongs hook git view pre-receive"],
    ["Save the script of a git hook", "tongs hook git view pre-receive --jq .content > pre-receive"],
  ],
  web: { page: ({ args, repo }) => repoPage(repo, "settings/hooks/git", args.name) },
  async run({ args, http, repo, out }) {
    await out.record(await call(http, gitHookGet, { repo, id: args.name }), (hook) => ({
      title: hook.name,
      fields: [["state", hook.is_active ? "active" : "inactive"]],
      body: hook.content,
    }));
  },
});
