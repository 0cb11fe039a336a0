import { batch } from "../../../app/batch.ts";
import { defineCommand } from "../../../app/define.ts";
import { Failure } from "../../../failure/failure.ts";
import { collect } from "../../../forge/listings.ts";
import { mirrorSync, pushMirror, pushMirrorList, pushMirrorSync } from "../../../forge/mirrors.ts";
import { call } from "../../../forge/operation.ts";
import type { Http } from "../../../http/client.ts";
import { HttpError } from "../../../http/errors.ts";
import { accountLabel } from "../../../profiles/server.ts";
import { fullName, type RepoName } from "../../../repo/repo-name.ts";
import { list } from "../../../shape/shape.ts";
import { repoArgument, reposArgument, reposOrCurrent } from "../shared.ts";

/** `tongs repo mirror sync`: POST …/push_mirrors-sync, which pushes to all push mirrors and waits. */
export const sync = defineCommand({
  summary: "Sync all push mirrors now",
  on: "repository",
  effect: "write",
  args: { repo: repoArgument },
  output: list(pushMirror),
  exits: { failure: "no mirror could be synced", partly: "some mirrors were synced, some failed" },
  examples: [["Sync the push mirrors", "tongs repo mirror sync mara/harbor"]],
  async run({ http, out, repo, server }) {
    await call(http, pushMirrorSync, { repo }).catch(async (error: unknown) => {
      throw await explain(error, http, repo);
    });
    if (out.records) await out.items(await collect(call(http, pushMirrorList, { repo })));
    await out.done(`Synced the push mirrors of ${fullName(repo)} ${accountLabel(server)}`);
  },
});

/**
 * Names the mirrors that failed, with their errors. The answer is 422, or 500 before Gitea 1.27 and on Forgejo, which does
 * not name them (docs/server-differences.md, "Mirrors").
 */
async function explain(error: unknown, http: Http, repo: RepoName): Promise<unknown> {
  if (!(error instanceof HttpError) || (error.status !== 422 && error.status !== 500)) return error;
  const all = await collect(call(http, pushMirrorList, { repo })).catch(() => []);
  const isNamed = /error occurred when syncing/.test(error.serverMessage);
  const failed = all.filter(({ remote_name, last_error = "" }) =>
    isNamed ? error.serverMessage.includes(remote_name) : last_error !== "",
  );
  if (failed.length === 0) return error;
  const reasons = failed.map(({ remote_address, remote_name, last_error }) => {
    return `${remote_address ?? remote_name}: ${last_error?.trim() || "no error message"}`;
  });
  const message = `${failed.length} of ${all.length} push mirrors of ${fullName(repo)} could not be synced`;
  const code = failed.length < all.length ? "partly_done" : "mirror_failed";
  return new Failure(code, message, { hint: reasons.join("\n"), status: error.status, cause: error });
}

/** `tongs repo mirror pull`: POST …/mirror-sync, which queues an update of a pull mirror. */
export const pull = defineCommand({
  summary: "Update pull mirrors from their source",
  details: "The server updates them in the background.",
  on: "server",
  effect: "write",
  args: { repo: reposArgument },
  exits: { partly: "some updates were requested, some failed" },
  examples: [["Update a pull mirror", "tongs repo mirror pull mara/harbor-mirror"]],
  async run(context) {
    const { args, http, server } = context;
    const work = async (repo: RepoName) => {
      await call(http, mirrorSync, { repo });
      return { message: `Requested an update of ${fullName(repo)} ${accountLabel(server)}` };
    };
    return batch(await reposOrCurrent(args.repo, context), work, context, { name: fullName });
  },
});
