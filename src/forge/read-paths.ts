/** Where the signed-in user is read; what they alone have is below it. */
export const currentUserPath = "/api/v1/user";

/** Where the user is read that a path names. */
export const userPath = "/users/{username}";
