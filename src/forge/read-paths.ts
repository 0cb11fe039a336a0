/** Where the signed-in user is read; what they alone have is below it. */
export const currentUserPath = "/api/v1/user";

/** The path of a team's ID: teams are listed and searched by organization. */
export const teamsPath = "/api/v1/teams";

/** Whether teams are listed or searched at a path. */
export function isTeamList(path: string): boolean {
  return /^\/api\/v1\/orgs\/[^/]+\/teams(\/search)?$/.test(path);
}

/**
 * Where the record can be read that a write at this path changes: there, the permission of a collaborator, the user that
 * an administrator edits, or the issue whose labels change.
 */
export function recordPaths(path: string): string[] {
  const issue = /^(.*)\/issues\/(\d+)\/labels(\/|$)/.exec(path);
  return [
    path,
    `${path}/permission`,
    path.replace(/^\/api\/v1\/admin\/users\//, "/api/v1/users/"),
    ...(issue ? [`${issue[1]}/issues/${issue[2]}`, `${issue[1]}/pulls/${issue[2]}`] : []),
  ];
}
