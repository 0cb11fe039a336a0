import { yesNo } from "../http/answers.ts";
import { nullable, optional, serverRecord, string } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { fieldsOf, isAbsent, loses, notRestored, type Reader, type Undo, unchanged } from "./undo.ts";
import { person, user } from "./users.ts";

/** The permissions that a collaborator can be given; servers answer 500 to any other word. */
export const permissions = ["read", "write", "admin"] as const;

/** What a user may do in a repository. Rights by way of a team's units do not count. */
export const collaboratorPermission = serverRecord("a permission", {
  permission: string,
  role_name: optional(string),
  user: optional(nullable(person)),
});

export const collaboratorList = operation("GET", "/repos/{owner}/{repo}/collaborators", { answers: pagesOf(user) });

export const collaboratorCheck = operation("GET", "/repos/{owner}/{repo}/collaborators/{collaborator}", {
  answers: yesNo,
});

export const collaboratorPermissionGet = operation(
  "GET",
  "/repos/{owner}/{repo}/collaborators/{collaborator}/permission",
  { answers: collaboratorPermission },
);

/** The permission is given back, or taken away from who was no collaborator. */
function given(lost?: string): Undo {
  // Administrators of the server have the permission of owners, whatever they are given.
  const has = async (path: string, permission: unknown, read: Reader) => {
    const { permission: now } = fieldsOf(await read.record(`${path}/permission`));
    return now === permission || (now === "owner" && (await read.record(path)) !== undefined);
  };
  return {
    loses: lost,
    // What anyone may do there is also the permission of one who is no collaborator.
    reads: async ({ path }, read) =>
      (await read.record(path)) === undefined ? null : ((await read.record(`${path}/permission`)) ?? null),
    inverse({ method, path, body, before }) {
      const isRemoved = method === "DELETE";
      const { permission: set = "write" } = fieldsOf(body);
      const { permission } = fieldsOf(before);
      const isAsLeft = isRemoved ? isAbsent(path) : (read: Reader) => has(path, set, read);
      if (isRemoved ? before === null : permission === set) return unchanged;
      if (before === null) return { request: { method: "DELETE", path }, isAsLeft };
      if (permission === "owner") return "an owner has this permission whatever a collaborator is given";
      // That of a collaborator who may read, in a repository that has become private.
      if (permission === "none") return "the server does not return the permission that they had";
      return {
        ...(lost && { loses: [notRestored(lost)] }),
        request: { method: "PUT", path, body: { permission } },
        isAsLeft,
      };
    },
    isDone: async ({ method, path }, read) => method === "DELETE" && (await read.record(path)) === undefined,
  };
}

/** Also changes the permission of a collaborator. */
export const collaboratorAdd = operation("PUT", "/repos/{owner}/{repo}/collaborators/{collaborator}", {
  undo: given(),
});

/** 204 also for a user who is not a collaborator. */
export const collaboratorRemove = operation("DELETE", "/repos/{owner}/{repo}/collaborators/{collaborator}", {
  undo: given(loses.access),
});
