/** A pull request with the fields that the commands read. */
export function pull(number: number, over: Readonly<Record<string, unknown>> = {}) {
  return {
    id: 100 + number,
    number,
    title: `Change ${number}`,
    body: "",
    state: "open",
    draft: false,
    merged: false,
    mergeable: true,
    comments: 0,
    user: { login: "mara" },
    labels: [],
    assignees: null,
    milestone: null,
    html_url: `https://forge.example.org/mara/harbor/pulls/${number}`,
    created_at: "2026-11-20T10:00:00Z",
    updated_at: "2026-11-20T10:00:00Z",
    base: { ref: "main", label: "main", sha: "b".repeat(40), repo_id: 1, repo: harbor },
    head: { ref: `change-${number}`, label: `change-${number}`, sha: "a".repeat(40), repo_id: 1, repo: harbor },
    ...over,
  };
}

export const harbor = {
  id: 1,
  name: "harbor",
  full_name: "mara/harbor",
  owner: { login: "mara" },
  default_branch: "main",
};

/** The base or head of a pull request. */
export function end(ref: string, owner = "mara") {
  const repo = { ...harbor, id: owner === "mara" ? 1 : 2, owner: { login: owner }, full_name: `${owner}/harbor` };
  return { ref, label: ref, sha: "a".repeat(40), repo_id: repo.id, repo };
}

/** A complete list with its total, as the servers return it. */
export function listed(items: readonly unknown[]) {
  return { headers: { "x-total-count": String(items.length) }, body: items };
}
