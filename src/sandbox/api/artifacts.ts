import { artifactDelete, artifactDownload, artifactGet, artifactList, runArtifactList } from "../../forge/artifacts.ts";
import { artifactSignature, artifactZip, expireArtifacts, isExpired, isSigned } from "../actions/artifacts.ts";
import { actionsReply } from "../http/paging.ts";
import { contentDisposition, found, notFound, rangeReply, refuse, text } from "../http/reply.ts";
import { type Area, type Call, other, route } from "../http/route.ts";
import { artifactJson } from "../serializers/actions.ts";
import type { Site } from "../site.ts";
import type { ArtifactRecord } from "../state/records/actions.ts";
import { repoAt } from "../state/repos.ts";

const reading = { repo: "actions" } as const;
const writing = { repo: "actions", right: "write" } as const;

/** Artifacts and their download through a signed URL (docs/server-differences.md, "Artifacts"). */
export const artifacts: Area = [
  route(artifactList, reading, (call) => list(call, 0)),
  // Without a valid run id, all artifacts of the repository are listed.
  route(runArtifactList, reading, (call) => list(call, call.number("run"))),
  route(artifactGet, reading, (call) => artifactJson(call, findArtifact(call, call.repo.id))),
  route(artifactDelete, writing, (call) => {
    const artifact = findArtifact(call, call.repo.id);
    // Deleting an expired artifact succeeds without effect.
    if (!isExpired(call.site, artifact)) call.table("artifacts").delete(artifact.id);
  }),
  route(artifactDownload, reading, redirect),
  route(other("GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip/raw"), { unscoped: true }, download),
  route(other("POST /admin/cron/cleanup_actions"), { siteAdmin: true }, ({ site }) => expireArtifacts(site)),
];

/** The artifacts uploaded so far, oldest first. */
function uploaded({ store, clock }: Site, repoId: number): ArtifactRecord[] {
  const now = clock();
  return store.table("artifacts").filter((one) => one.repoId === repoId && one.created <= now);
}

function list(call: Call<typeof reading>, runId: number) {
  const { site, repo, query } = call;
  const name = query.get("name") ?? "";
  const items = uploaded(site, repo.id).filter(
    (one) => one.generation === 4 && (runId === 0 || one.runId === runId) && (name === "" || one.name === name),
  );
  if (site.release.product === "forgejo") items.reverse();
  return actionsReply(call, "artifacts", items, (artifact) => artifactJson(call, artifact));
}

function findArtifact({ site, number }: Call, repoId: number): ArtifactRecord {
  const artifact = uploaded(site, repoId).find(({ id }) => id === number("artifact_id"));
  const known = found(artifact, "artifact not found");
  return known.generation === 4 ? known : notFound("Artifact not found");
}

function redirect(call: Call<typeof reading>) {
  const { site, repo, origin, headers } = call;
  const artifact = findArtifact(call, call.repo.id);
  if (isExpired(site, artifact)) notFound("Artifact has expired");
  // Forgejo sends the file itself.
  if (site.release.product === "forgejo") return sendZip(call, artifact, "application/octet-stream");
  const expires = String(Math.floor((site.clock() + site.delays.signedFor) / 1000));
  const signature = artifactSignature(site, repo.id, artifact.id, expires);
  const host = headers["x-forwarded-proto"] === "https" ? origin.replace(/^http:/, "https:") : origin;
  const location = `${host}${call.requestPath}/raw?sig=${signature}&expires=${expires}`;
  const page = `<a href="${location.replaceAll("&", "&amp;")}">Found</a>.\n\n`;
  return text(302, page, "text/html; charset=utf-8", { Location: location });
}

/** Downloads an artifact. The signed URL is the only credential. */
function download(call: Call) {
  const { site, query } = call;
  const repo = found(repoAt(site.store, call.param("owner"), call.param("repo")));
  const artifact = findArtifact(call, repo.id);
  if (!isSigned(site, repo.id, artifact.id, query)) refuse(401, "Error unauthorized");
  if (Number(query.get("expires")) < site.clock() / 1000) refuse(401, "Error link expired");
  if (isExpired(site, artifact)) notFound("Artifact has expired");
  return sendZip(call, artifact, "application/zip");
}

function sendZip({ headers, site }: Call, artifact: ArtifactRecord, type: string) {
  const more = {
    ...(site.release.product === "forgejo" ? { "Accept-Ranges": "bytes" } : {}),
    "Content-Disposition": contentDisposition("inline", `${artifact.name}.zip`),
    "Last-Modified": new Date(artifact.created).toUTCString(),
  };
  return rangeReply(artifactZip(artifact), headers.range, type, more);
}
