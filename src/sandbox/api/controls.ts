import { addArtifact } from "../actions/artifacts.ts";
import { found, refuse } from "../http/refusal.ts";
import { json } from "../http/reply.ts";
import { post } from "../http/route.ts";
import type { Area } from "../site.ts";
import { runOf } from "../state/actions.ts";

const day = 86_400_000;
const needs = { repo: "actions", signedIn: true, right: "write" } as const;

/**
 * What only the sandbox has. A zip file of one's own becomes an artifact of a run, whatever is in it: the body is the
 * file; the query has its `name`, and may have `days` that it is kept and its `generation`.
 */
export const controls: Area = {
  routes: [],
  pages: [
    post("/sandbox/repos/{owner}/{repo}/actions/runs/{run}/artifacts", needs, (call) => {
      const { site, repo, query, rawBody } = call;
      const run = found(runOf(site.store, repo.id, call.number("run")), "no such run");
      const days = Number(query.get("days") ?? 90);
      const name = query.get("name") ?? "";
      if (name === "" || !(days >= 0)) refuse(422, "name is missing, or days is no number");
      const created = site.clock();
      const { id } = addArtifact(site, {
        repoId: repo.id,
        runId: run.id,
        jobId: 0,
        name,
        generation: query.get("generation") === "3" ? 3 : 4,
        content: rawBody.toString("base64"),
        size: rawBody.length,
        created,
        expires: created + days * day,
      });
      return json(201, { id, name, size_in_bytes: rawBody.length });
    }),
  ],
};
