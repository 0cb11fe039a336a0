import type { Operations } from "../../forge/generated/operations.ts";
import type { Served } from "./route.ts";

// What the sandbox serves besides the operations of src/forge: recordings, browsers, runners and tests send them.

type Body<K> = K extends keyof Operations ? (Operations[K] extends { body: infer B } ? B : undefined) : undefined;

function other<K extends string>(key: K, more: Pick<Served, "web" | "since"> = {}): Served<Body<K>> {
  const [method = "", path = ""] = key.split(" ");
  return { method, path, levels: [], ...more };
}

const page = { web: true } as const;

export const cronCleanup = other("POST /admin/cron/cleanup_actions");
export const repoCreateIn = other("POST /org/{org}/repos");
export const repoCreateFor = other("POST /admin/users/{username}/repos");

export const labelGet = {
  ...other("GET /repos/{owner}/{repo}/labels/{id}"),
  path: "{level}/labels/{id}",
  levels: ["repository", "organization"] as const,
};
export const milestoneGet = other("GET /repos/{owner}/{repo}/milestones/{id}");
export const issueLabelReplace = other("PUT /repos/{owner}/{repo}/issues/{index}/labels");
export const issueLabelClear = other("DELETE /repos/{owner}/{repo}/issues/{index}/labels");
export const issueLabelList = other("GET /repos/{owner}/{repo}/issues/{index}/labels");
export const reviewGet = other("GET /repos/{owner}/{repo}/pulls/{index}/reviews/{id}");
export const releaseGet = other("GET /repos/{owner}/{repo}/releases/{id}");
export const assetList = other("GET /repos/{owner}/{repo}/releases/{id}/assets");
export const assetGet = other("GET /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}");
export const assetEdit = other("PATCH /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}");
export const issueAttachmentGet = other("GET /repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}");
export const commentAttachmentGet = other("GET /repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}");
/** Where the download of an artifact redirects to. */
export const artifactRaw = other("GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip/raw");

export const oauthAuthorize = other("GET /login/oauth/authorize", page);
export const oauthGrant = other("POST /login/oauth/grant", page);
export const oauthToken = other("POST /login/oauth/access_token", page);
export const assetPage = other("GET /{owner}/{repo}/releases/download/{tag}/{name}", page);
/** The buttons of a run's page. */
export const runCancelPage = other("POST /{owner}/{repo}/actions/runs/{run}/cancel", page);
export const runApprove = other("POST /{owner}/{repo}/actions/runs/{run}/approve", page);
export const runnerRegister = other("POST /api/actions/runner.v1.RunnerService/Register", page);
export const runnerDeclare = other("POST /api/actions/runner.v1.RunnerService/Declare", page);
/** A control of the sandbox, for tests: no server has it. */
export const artifactUpload = other("POST /sandbox/repos/{owner}/{repo}/actions/runs/{run}/artifacts", page);
/** Forgejo has it besides the version of its API. */
export const forgejoVersion = other("GET /api/forgejo/v1/version", { ...page, since: { gitea: "-" } });
export const descriptionPage = other("GET /swagger.v1.json", page);
