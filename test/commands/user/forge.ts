import type { Handler, Reply, Seen } from "../../support/server.ts";

/** A user record as Gitea sends it to administrators. */
export function account(login: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 7,
    login,
    username: login,
    login_name: "",
    source_id: 0,
    full_name: "",
    email: `${login}@example.org`,
    html_url: `http://forge.example/${login}`,
    is_admin: false,
    last_login: "1970-01-01T00:00:00Z",
    created: "2026-03-01T08:00:00Z",
    restricted: false,
    active: true,
    prohibit_login: false,
    location: "",
    website: "",
    description: "",
    visibility: "public",
    ...more,
  };
}

/** The JSON bodies of the writes, in order. */
export function bodies(seen: readonly Seen[]): unknown[] {
  return seen.filter(({ method }) => method !== "GET").map(({ body }) => JSON.parse(body) as unknown);
}

/** Replies by `METHOD /path` below the API root, without the query; anything else is 404. */
export function answers(replies: Readonly<Record<string, Reply | ((seen: Seen) => Reply)>>): Handler {
  return (seen) => {
    const path = seen.url.split("?")[0]?.replace("/api/v1", "");
    const reply = replies[`${seen.method} ${path}`];
    if (reply === undefined) return { status: 404, body: { message: "not found" } };
    return typeof reply === "function" ? reply(seen) : reply;
  };
}
