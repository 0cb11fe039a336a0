import { nothing, yesNo } from "../http/answers.ts";
import { nullable, optional, serverRecord, string } from "../shape/shape.ts";
import { operation, pagesOf } from "./operation.ts";
import { loses } from "./undo.ts";
import { person, user } from "./users.ts";

/** The permissions that a collaborator can be given; servers answer 500 to any other word. */
export const permissions = ["read", "write", "admin"] as const;

/** What a user may do in a repository. Rights by way of a team's units do not count. */
export const collaboratorPermission = serverRecord("a permission", {
  permission: string,
  role_name: optional(string),
  user: optional(nullable(person)),
});

export const collaboratorList = operation("GET", "/repos/{owner}/{repo}/collaborators", {
  answers: pagesOf(user, { unique: "id" }),
});

export const collaboratorCheck = operation("GET", "/repos/{owner}/{repo}/collaborators/{collaborator}", {
  answers: yesNo,
});

export const collaboratorPermissionGet = operation(
  "GET",
  "/repos/{owner}/{repo}/collaborators/{collaborator}/permission",
  { answers: collaboratorPermission },
);

/** Also changes the permission of a collaborator. */
export const collaboratorAdd = operation("PUT", "/repos/{owner}/{repo}/collaborators/{collaborator}", {
  answers: nothing,
  undo: { by: "collaborator" },
});

/** 204 also for a user who is not a collaborator. */
export const collaboratorRemove = operation("DELETE", "/repos/{owner}/{repo}/collaborators/{collaborator}", {
  answers: nothing,
  undo: { by: "collaborator", loses: loses.access },
});
