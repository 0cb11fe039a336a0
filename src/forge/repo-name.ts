/** A repository by its names on one server. */
export interface RepoName {
  readonly owner: string;
  readonly name: string;
}

/** `owner/name`. */
export function fullName(repo: RepoName): string {
  return `${repo.owner}/${repo.name}`;
}
