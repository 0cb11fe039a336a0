import { yesNo } from "../http/answers.ts";
import { operation, pagesOf } from "./operation.ts";
import { cannot, undoToggle } from "./undo.ts";
import { user, userGet } from "./users.ts";

export const ownFollowingList = operation("GET", "/user/following", { answers: pagesOf(user) });

export const followingList = operation("GET", "/users/{username}/following", {
  belongsTo: userGet,
  answers: pagesOf(user),
});

export const ownFollowerList = operation("GET", "/user/followers", { answers: pagesOf(user) });

export const followerList = operation("GET", "/users/{username}/followers", {
  belongsTo: userGet,
  answers: pagesOf(user),
});

export const ownFollowingCheck = operation("GET", "/user/following/{username}", { answers: yesNo });

export const followingCheck = operation("GET", "/users/{username}/following/{target}", { answers: yesNo });

export const followAdd = operation("PUT", "/user/following/{username}");

export const followRemove = operation("DELETE", "/user/following/{username}", { undo: undoToggle() });

/**
 * Follows a user of another server by the address of the actor, `https://…/api/v1/activitypub/user-id/15`: the request is sent
 * to the other server later. 406 or 500 if there is none.
 */
export const actorFollow = operation("POST", "/user/activitypub/follow", { undo: cannot.start });
