import type { Handler, Reply } from "../../support/server.ts";

/** A run as Gitea sends it. */
export function run(id: number, over: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    url: `https://forge.example.org/api/v1/repos/mara/harbor/actions/runs/${id}`,
    html_url: `https://forge.example.org/mara/harbor/actions/runs/${id}`,
    display_title: "Mend the quay",
    path: "build.yml@refs/heads/main",
    event: "push",
    run_attempt: 1,
    run_number: id - 20,
    head_sha: "a".repeat(40),
    head_branch: "main",
    status: "completed",
    conclusion: "success",
    actor: { login: "mara" },
    trigger_actor: { login: "mara" },
    repository: { id: 1, full_name: "mara/harbor", html_url: "https://forge.example.org/mara/harbor" },
    started_at: "2026-11-21T09:53:41Z",
    completed_at: "2026-11-21T09:53:55Z",
    ...over,
  };
}

/** A job as Gitea sends it. */
export function job(id: number, over: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    run_id: 31,
    name: "check",
    labels: ["ubuntu-latest"],
    run_attempt: 1,
    head_sha: "a".repeat(40),
    status: "completed",
    conclusion: "success",
    runner_name: "dock-1",
    steps: [],
    html_url: `https://forge.example.org/mara/harbor/actions/runs/31/jobs/${id}`,
    created_at: "2026-11-21T09:53:39Z",
    started_at: "2026-11-21T09:53:43Z",
    completed_at: "2026-11-21T09:53:50Z",
    ...over,
  };
}

/** A step that ran between two seconds of a minute. */
export function step(name: string, conclusion: string, from: number, to: number) {
  const at = (second: number) => `2026-11-21T09:53:${String(second).padStart(2, "0")}Z`;
  return { name, number: 0, status: "completed", conclusion, started_at: at(from), completed_at: at(to) };
}

/** A task as Forgejo sends it. */
export function task(id: number, number: number, over: Readonly<Record<string, unknown>> = {}) {
  return {
    id,
    name: "build",
    head_branch: "main",
    head_sha: "a".repeat(40),
    run_number: number,
    event: "push",
    display_title: "Lights",
    status: "success",
    workflow_id: "build.yml",
    url: `https://forge.example.org/mara/harbor/actions/runs/${number}`,
    created_at: "2026-11-21T10:23:43Z",
    updated_at: "2026-11-21T10:23:44Z",
    run_started_at: "2026-11-21T10:23:43Z",
    ...over,
  };
}

/** The response of servers to an operation that they do not have. */
export const unknownRoute: Reply = {
  status: 404,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: "404 page not found\n",
};

export function enveloped(key: string, items: readonly unknown[]): Reply {
  return { headers: { "x-total-count": String(items.length) }, body: { [key]: items, total_count: items.length } };
}

/** Serves runs with the IDs 31 to 29 (numbers 11 to 9), their jobs and logs; `over` takes precedence. */
export function gitea(
  parts: { readonly jobs?: readonly unknown[]; readonly log?: string; readonly runs?: readonly unknown[] } = {},
  over: (seen: { readonly method: string; readonly url: string; readonly body: string }) => Reply | undefined = () =>
    undefined,
): Handler {
  const runs = parts.runs ?? [run(31), run(30), run(29)];
  return (seen) => {
    const first = over(seen);
    if (first !== undefined) return first;
    const path = (seen.url.split("?")[0] ?? "").replace("/api/v1/repos/mara/harbor/actions/", "");
    if (path === "runs") return enveloped("workflow_runs", runs);
    if (/^runs\/\d+\/jobs$/.test(path)) return enveloped("jobs", parts.jobs ?? []);
    if (/^jobs\/\d+\/logs$/.test(path)) {
      return { headers: { "content-type": "text/plain; charset=utf-8" }, body: parts.log ?? "" };
    }
    const id = /^runs\/(\d+)$/.exec(path)?.[1];
    const found = runs.find((one) => String((one as { id: number }).id) === id);
    if (found !== undefined) return { body: found };
    if (id !== undefined) return { status: 404, body: { message: `run with id ${id}: resource does not exist` } };
    if (seen.url === "/api/v1/repos/mara/harbor") return { body: { full_name: "mara/harbor", default_branch: "main" } };
    return unknownRoute;
  };
}

/** Serves tasks only, as Forgejo does. */
export function forgejo(tasks: readonly unknown[]): Handler {
  return ({ url }) => {
    if (url.includes("/actions/tasks")) return enveloped("workflow_runs", tasks);
    if (url === "/api/v1/user") return { body: { login: "mara" } };
    if (url === "/api/v1/repos/mara/harbor") return { body: { full_name: "mara/harbor", default_branch: "main" } };
    return unknownRoute;
  };
}
