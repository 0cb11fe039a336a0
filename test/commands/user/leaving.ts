import { type Seen, serve, type TestServer } from "../../support/server.ts";
import { pull } from "../pr/pulls.ts";
import { unknownRoute } from "../run/forge.ts";
import { account } from "./forge.ts";

interface Leaver {
  readonly id: number;
  prohibited: boolean;
  signsInAs: string;
  keys: number[];
  orgs: string[];
  isAdmin?: boolean;
}

/** A server with users who leave: each has keys, an organization, a repository, an assigned issue and a review request. */
export interface LeavingServer extends TestServer {
  readonly users: Map<string, Leaver>;
  /** The present names of renamed accounts, by their old ones. */
  readonly renamed: Map<string, string>;
  /** The owner of each repository, by its name. */
  readonly repos: Map<string, string>;
  /** The assignee of the issue, and the reviewers of the pull request, that each leaver had, by its name. */
  readonly assignees: Map<string, string[]>;
  readonly reviewers: Map<string, Set<string>>;
  /** Writes that changed something, and those that succeeded and changed nothing. */
  readonly changes: string[];
  readonly repeats: string[];
  /** The owners of the organization of all. */
  readonly owners: string[];
  /** The repositories of the organization that the heir cannot read. */
  readonly hidden: Set<string>;
  /** The collaborators of the organization's repository dock. */
  readonly collaborators: string[];
  /** Repositories that somebody deleted, and leavers whose issue and pull request somebody deleted. */
  readonly gone: Set<string>;
  /** Leavers whose issue is closed. */
  readonly closed: Set<string>;
  /** Leavers whose reviewers the administrator may not choose, as on Gitea without a part in the repository; the author is gone. */
  readonly foreign: Set<string>;
}

export const admin = "warden";
export const heir = "mara";

interface Faults {
  /** Whether the repositories of the leavers are private, with the issue that is assigned to them. */
  readonly isPrivate?: boolean;
  /** Called for each request, before and after it takes effect. */
  readonly onRequest?: () => void;
  /** Whether to close the connection instead of answering, after the request took effect. */
  readonly loses?: (seen: Seen) => boolean;
}

const isSame = (one: string | undefined, other: string) => one?.toLowerCase() === other.toLowerCase();
const names = (count: number) => Array.from({ length: count }, (_, index) => `leaver${index}`);

/** Starts the server with `count` leavers. */
export async function leavingServer(
  count: number,
  { isPrivate = false, onRequest = () => {}, loses = () => false }: Faults = {},
): Promise<LeavingServer> {
  const all = names(count);
  const users: LeavingServer["users"] = new Map(
    [admin, heir, ...all].map((name, index) => {
      const leaves = index > 1;
      return [
        name,
        {
          id: index + 1,
          prohibited: false,
          signsInAs: "",
          keys: leaves ? [index * 2, index * 2 + 1] : [],
          orgs: leaves ? ["fleet"] : [],
        },
      ];
    }),
  );
  const renamed = new Map<string, string>();
  const repos = new Map(all.map((name) => [`boat-${name}`, name]));
  const assignees = new Map(all.map((name) => [name, [name]]));
  const reviewers = new Map(all.map((name) => [name, new Set([name])]));
  const changes: string[] = [];
  const repeats: string[] = [];
  const owners = [heir];
  const hidden = new Set<string>();
  const collaborators: string[] = [];
  const gone = new Set<string>();
  const closed = new Set<string>();
  const foreign = new Set<string>();
  const numberOf = (name: string) => users.get(name)?.id ?? 0;
  const nameOf = (index: number) => [...users].find(([, { id }]) => id === index)?.[0] ?? "";
  const userOf = (name: string) => {
    const found = users.get(name);
    return (
      found && {
        ...account(name, { id: found.id, login_name: found.signsInAs }),
        prohibit_login: found.prohibited,
        is_admin: found.isAdmin ?? false,
        ...(name === "leaver0" ? { full_name: "Leaver Zero", last_login: "2026-03-01T08:00:00Z" } : {}),
      }
    );
  };
  const person = (name: string) => ({ id: numberOf(name), login: name });
  const issueOf = (name: string, isPull: boolean) => ({
    id: numberOf(name) * 2 + (isPull ? 1 : 0),
    number: numberOf(name),
    title: "Leak",
    state: closed.has(name) ? "closed" : "open",
    user: person(admin),
    labels: [],
    assignees: (assignees.get(name) ?? []).map(person),
    repository: isPull || !isPrivate ? inFleet(isPull ? "pier" : "dock") : boatOf(name),
    pull_request: isPull ? { merged: false } : null,
  });
  const inFleet = (name: string) => ({ id: 1, name, owner: "fleet", full_name: `fleet/${name}` });
  const boatOf = (name: string) => {
    const { owner, ...boat } = repoOf(`boat-${name}`);
    return { ...boat, owner: owner.login };
  };
  const granted = new Set<string>();
  const canRead = (login: string, repo: string) =>
    !isPrivate || !repo.startsWith("boat-") || isSame(repos.get(repo), login) || granted.has(`${login} ${repo}`);
  const pullOf = (name: string) =>
    pull(numberOf(name), {
      user: foreign.has(name) ? { id: -1, login: "Ghost" } : person(admin),
      requested_reviewers: [...(reviewers.get(name) ?? [])].map(person),
    });

  function answer({ method, url, headers, body }: Seen) {
    const [path = "", query = ""] = url.replace("/api/v1", "").split("?");
    // Names are the same in upper and lower case.
    const [, one = "", two = "", three = "", four = "", five = ""] = path.toLowerCase().split("/");
    const sent = body === "" ? {} : JSON.parse(body);
    const found = (value: unknown) =>
      value === undefined ? { status: 404, body: { message: "not found" } } : { body: value };
    const team = { id: 5, name: "Owners", permission: "owner" };
    const isSecond = new URLSearchParams(query).get("page") === "2";
    const list = (items: readonly unknown[]) => ({
      body: isSecond ? [] : items,
      headers: { "x-total-count": `${items.length}` },
    });
    const write = (isChange: boolean, reply: { status?: number; body?: unknown } = { status: 204 }) => {
      const list = Array.isArray(sent.assignees) ? ` ${sent.assignees}` : "";
      (isChange ? changes : repeats).push(`${method} ${path}${list}`);
      return reply;
    };
    if (path === "/version") return { body: { version: "1.26.0" } };
    if (path === "/user") return { body: userOf(String(headers["sudo"] ?? admin)) };
    if (path === "/users/search") {
      const uid = new URLSearchParams(query).get("uid");
      return { body: { ok: true, data: [...users.keys()].filter((name) => `${numberOf(name)}` === uid).map(userOf) } };
    }
    if (path === "/admin/emails/search")
      return list([...users.keys()].map((username) => ({ email: userOf(username)?.email, username, user_id: 1 })));
    const now = one === "users" && three === "" ? renamed.get(two) : undefined;
    if (now !== undefined) return { status: 307, headers: { location: `/api/v1/users/${now}` }, body: "" };
    if (path === "/repos/issues/search") {
      const name = String(headers["sudo"]);
      const isReview = query.includes("review_requested");
      if (!users.has(name)) return { status: 404, body: { message: "not found" } };
      const has = (of: string) =>
        isReview ? reviewers.get(of)?.has(name) : assignees.get(of)?.includes(name) === true;
      const isReadable = (of: string) => isReview || canRead(name, `boat-${of}`);
      return list([...assignees.keys()].filter((of) => has(of) && isReadable(of)).map((of) => issueOf(of, isReview)));
    }
    // An organization is also a user of that name.
    if (path.toLowerCase() === "/users/fleet") return { body: account("fleet", { id: 9 }) };
    if (one === "orgs" && two === "fleet" && three === "repos") return list([]);
    if (one === "users" && three === "") return found(userOf(two));
    if (one === "users" && three === "keys")
      return list(
        (users.get(two)?.keys ?? []).map((id) => ({ id, title: "evil\u001b[31m\u202e", key: "ssh-ed25519 AAAA" })),
      );
    if (one === "users" && three === "orgs")
      return list((users.get(two)?.orgs ?? []).map((org, index) => ({ id: 9 + index, name: org, username: org })));
    if (one === "users" && three === "repos")
      return list([...repos].filter(([, owner]) => owner === two).map(([name]) => repoOf(name)));
    if (one === "users" || one === "packages") return list([]);
    if (one === "admin" && four === "tokens") return undefined;
    if (one === "admin" && three !== "" && four === "keys") {
      const user = users.get(three);
      const id = Number(five);
      if (user === undefined || !user.keys.includes(id)) return { status: 404, body: { message: "not found" } };
      user.keys = user.keys.filter((key) => key !== id);
      return write(true);
    }
    if (one === "admin" && method === "DELETE") return users.delete(three) ? write(true) : found(undefined);
    if (one === "admin") {
      const user = users.get(three);
      if (user === undefined) return found(undefined);
      const isChange = user.prohibited !== (sent.prohibit_login ?? user.prohibited) || sent.admin !== undefined;
      user.prohibited = sent.prohibit_login ?? user.prohibited;
      user.isAdmin = sent.admin ?? user.isAdmin ?? false;
      user.signsInAs = sent.login_name;
      return write(isChange, { body: userOf(three) });
    }
    if (one === "orgs" && two === "fleet" && three === "teams")
      return four === "search" ? { body: { data: [team], ok: true } } : list([team]);
    if (one === "orgs" && ["fleet", "reef"].includes(two) && three === "members") {
      const user = users.get(four);
      const isMember = user?.orgs.includes(two) === true;
      if (method === "GET") return { status: isMember ? 204 : 404 };
      if (user !== undefined) user.orgs = user.orgs.filter((org) => org !== two);
      return write(isMember);
    }
    if (one === "orgs" && two === "reef") return list([]);
    if (one === "orgs") return found(two === "fleet" ? { id: 9, name: "fleet", username: "fleet" } : undefined);
    if (one === "teams")
      return list(owners.map((name) => Object.assign(person(name), { prohibit_login: users.get(name)?.prohibited })));
    if (one === "repos" && gone.has(three)) return found(undefined);
    if (one === "repos" && four === "transfer" && three === "stuck") return { status: 422, body: { message: "stuck" } };
    if (one === "repos" && four === "transfer") {
      const isChange = repos.get(three) !== sent.new_owner;
      repos.set(three, sent.new_owner);
      return write(isChange, { status: 202, body: repoOf(three) });
    }
    if (path === "/user/repos")
      return list(
        collaborators.includes(String(headers["sudo"])) ? [{ ...repoOf("dock"), full_name: "fleet/dock" }] : [],
      );
    if (path === "/user/teams")
      return list(
        users.get(String(headers["sudo"]))?.orgs.length === 0 ? [] : [{ ...team, organization: { name: "fleet" } }],
      );
    if (one === "repos" && four === "collaborators" && method === "PUT") {
      granted.add(`${five} ${three}`);
      return write(true);
    }
    if (one === "repos" && four === "collaborators" && five === "") return list(collaborators.map(person));
    if (one === "repos" && four === "collaborators") {
      const isThere = collaborators.includes(five);
      if (method === "GET") return { status: isThere ? 204 : 404 };
      collaborators.splice(0, collaborators.length, ...collaborators.filter((name) => name !== five));
      return write(isThere);
    }
    if (one === "repos" && two === "fleet" && four === "")
      return headers["sudo"] === heir && hidden.has(three)
        ? found(undefined)
        : { body: { ...repoOf("dock"), full_name: `fleet/${three}` } };
    if (one === "repos" && four === "")
      return found(repos.has(three) && canRead(String(headers["sudo"] ?? two), three) ? repoOf(three) : undefined);
    const of = nameOf(Number(five));
    if (gone.has(of)) return found(undefined);
    if (four === "issues" && method === "GET") return found(issueOf(of, false));
    if (four === "issues") {
      const before = assignees.get(of) ?? [];
      const isChange = before.join() !== sent.assignees.join();
      if (sent.assignees.includes(heir) && !canRead(heir, three))
        return { status: 500, body: { message: "user doesn't have access to repo" } };
      // As the servers do: who is not in the list is removed before somebody who is in it is refused.
      if (hidden.has("dock") && !before.includes(heir) && sent.assignees.includes(heir)) {
        assignees.set(
          of,
          before.filter((name) => sent.assignees.includes(name)),
        );
        return { status: 500, body: { message: `user doesn't have access to repo` } };
      }
      assignees.set(of, sent.assignees);
      return write(isChange, { status: 201, body: issueOf(of, false) });
    }
    if (path.endsWith("requested_reviewers")) {
      const [login] = sent.reviewers as string[];
      if (foreign.has(of) && !owners.includes(String(headers["sudo"])))
        return { status: 422, body: { message: "Doer can't choose reviewer" } };
      const asked = reviewers.get(of) ?? new Set();
      const isChange = asked.has(String(login)) !== (method === "POST");
      if (method === "POST") asked.add(String(login));
      else asked.delete(String(login));
      return write(isChange, method === "POST" ? { status: 201, body: [] } : { status: 204 });
    }
    if (four === "pulls") return found(pullOf(of));
    return undefined;
  }
  const repoOf = (name: string) => ({
    id: [...repos.keys()].indexOf(name) + 1,
    name,
    full_name: `${repos.get(name)}/${name}`,
    owner: person(repos.get(name) ?? ""),
  });

  const server = await serve(
    (seen, request) => {
      onRequest();
      const reply = answer(seen);
      onRequest();
      if (loses(seen)) {
        request.socket.destroy();
        return undefined;
      }
      return reply ?? unknownRoute;
    },
    { saysVersion: true },
  );
  return Object.assign(server, {
    users,
    renamed,
    repos,
    assignees,
    reviewers,
    changes,
    repeats,
    owners,
    hidden,
    collaborators,
    gone,
    closed,
    foreign,
  });
}
