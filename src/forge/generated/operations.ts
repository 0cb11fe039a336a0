// Made by scripts/generate/operations.mjs of the descriptions of 18 releases; do not edit.

/** A value that no description names. */
type Other = string & {};

/** The query and the body of each operation. */
export interface Operations {
  "DELETE /admin/actions/runners/{runner_id}": { query: {  } };
  "DELETE /admin/hooks/{id}": { query: {  } };
  "DELETE /admin/quota/groups/{quotagroup}": { query: {  } };
  "DELETE /admin/quota/groups/{quotagroup}/rules/{quotarule}": { query: {  } };
  "DELETE /admin/quota/groups/{quotagroup}/users/{username}": { query: {  } };
  "DELETE /admin/quota/rules/{quotarule}": { query: {  } };
  "DELETE /admin/unadopted/{owner}/{repo}": { query: {  } };
  "DELETE /admin/users/{username}": { query: { purge?: boolean | undefined } };
  "DELETE /admin/users/{username}/badges": { query: {  }; body: UserBadgeOption };
  "DELETE /admin/users/{username}/emails": { query: {  }; body: DeleteEmailOption };
  "DELETE /admin/users/{username}/keys/{id}": { query: {  } };
  "DELETE /admin/users/{username}/tokens/{token}": { query: {  } };
  "DELETE /orgs/{org}": { query: {  } };
  "DELETE /orgs/{org}/actions/runners/{runner_id}": { query: {  } };
  "DELETE /orgs/{org}/actions/secrets/{secretname}": { query: {  } };
  "DELETE /orgs/{org}/actions/variables/{variablename}": { query: {  } };
  "DELETE /orgs/{org}/avatar": { query: {  } };
  "DELETE /orgs/{org}/blocks/{username}": { query: {  } };
  "DELETE /orgs/{org}/hooks/{id}": { query: {  } };
  "DELETE /orgs/{org}/labels/{id}": { query: {  } };
  "DELETE /orgs/{org}/members/{username}": { query: {  } };
  "DELETE /orgs/{org}/projects/{id}": { query: {  } };
  "DELETE /orgs/{org}/projects/{id}/columns/{column_id}": { query: {  } };
  "DELETE /orgs/{org}/projects/{id}/columns/{column_id}/issues/{issue_id}": { query: {  } };
  "DELETE /orgs/{org}/public_members/{username}": { query: {  } };
  "DELETE /orgs/{org}/repos": { query: {  } };
  "DELETE /packages/{owner}/{type}/{name}": { query: {  } };
  "DELETE /packages/{owner}/{type}/{name}/{version}": { query: {  } };
  "DELETE /repos/{owner}/{repo}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/actions/artifacts/{artifact_id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/actions/runners/{runner_id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/actions/runs/{run}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/actions/secrets/{secretname}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/actions/variables/{variablename}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/avatar": { query: {  } };
  "DELETE /repos/{owner}/{repo}/branch_protections/{name}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/branches/{branch}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/collaborators/{collaborator}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/contents/{filepath}": { query: {  }; body: DeleteFileOptions };
  "DELETE /repos/{owner}/{repo}/flags": { query: {  } };
  "DELETE /repos/{owner}/{repo}/flags/{flag}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/git/notes/{sha}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/hooks/git/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/hooks/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/comments/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/comments/{id}/reactions": { query: {  }; body: EditReactionOption };
  "DELETE /repos/{owner}/{repo}/issues/{index}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/{index}/assignees": { query: {  }; body: IssueAssigneesOption };
  "DELETE /repos/{owner}/{repo}/issues/{index}/blocks": { query: {  }; body: IssueMeta };
  "DELETE /repos/{owner}/{repo}/issues/{index}/comments/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/{index}/dependencies": { query: {  }; body: IssueMeta };
  "DELETE /repos/{owner}/{repo}/issues/{index}/labels": { query: {  }; body: DeleteLabelsOption };
  "DELETE /repos/{owner}/{repo}/issues/{index}/labels/{id}": { query: {  }; body: DeleteLabelsOption };
  "DELETE /repos/{owner}/{repo}/issues/{index}/lock": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/{index}/pin": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/{index}/reactions": { query: {  }; body: EditReactionOption };
  "DELETE /repos/{owner}/{repo}/issues/{index}/stopwatch/delete": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/{index}/subscriptions/{user}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/{index}/times": { query: {  } };
  "DELETE /repos/{owner}/{repo}/issues/{index}/times/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/keys/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/labels/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/milestones/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/projects/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/projects/{id}/columns/{column_id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/projects/{id}/columns/{column_id}/issues/{issue_id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/pulls/{index}/merge": { query: {  } };
  "DELETE /repos/{owner}/{repo}/pulls/{index}/requested_reviewers": { query: {  }; body: PullReviewRequestOptions };
  "DELETE /repos/{owner}/{repo}/pulls/{index}/reviews/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments/{comment}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/push_mirrors/{name}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/releases/tags/{tag}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/releases/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/subscription": { query: {  } };
  "DELETE /repos/{owner}/{repo}/tag_protections/{id}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/tags/{tag}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/teams/{team}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/topics/{topic}": { query: {  } };
  "DELETE /repos/{owner}/{repo}/wiki/page/{pageName}": { query: {  } };
  "DELETE /teams/{id}": { query: {  } };
  "DELETE /teams/{id}/members/{username}": { query: {  } };
  "DELETE /teams/{id}/repos/{org}/{repo}": { query: {  } };
  "DELETE /token": { query: {  } };
  "DELETE /user/actions/runners/{runner_id}": { query: {  } };
  "DELETE /user/actions/secrets/{secretname}": { query: {  } };
  "DELETE /user/actions/variables/{variablename}": { query: {  } };
  "DELETE /user/applications/oauth2/{id}": { query: {  } };
  "DELETE /user/avatar": { query: {  } };
  "DELETE /user/blocks/{username}": { query: {  } };
  "DELETE /user/emails": { query: {  }; body: DeleteEmailOption };
  "DELETE /user/following/{username}": { query: {  } };
  "DELETE /user/gpg_keys/{id}": { query: {  } };
  "DELETE /user/hooks/{id}": { query: {  } };
  "DELETE /user/keys/{id}": { query: {  } };
  "DELETE /user/projects/{id}": { query: {  } };
  "DELETE /user/projects/{id}/columns/{column_id}": { query: {  } };
  "DELETE /user/projects/{id}/columns/{column_id}/issues/{issue_id}": { query: {  } };
  "DELETE /user/starred/{owner}/{repo}": { query: {  } };
  "DELETE /users/{username}/tokens/{token}": { query: {  } };
  "GET /actions/run": { query: {  } };
  "GET /activitypub/actor": { query: {  } };
  "GET /activitypub/repository-id/{repository-id}": { query: {  } };
  "GET /activitypub/user-id/{user-id}": { query: {  } };
  "GET /activitypub/user-id/{user-id}/activities/{activity-id}": { query: {  } };
  "GET /activitypub/user-id/{user-id}/activities/{activity-id}/activity": { query: {  } };
  "GET /activitypub/user-id/{user-id}/outbox": { query: {  } };
  "GET /admin/actions/jobs": { query: { order?: string | undefined; sort?: string | undefined; limit?: number | undefined; page?: number | undefined; status?: readonly string[] | undefined } };
  "GET /admin/actions/runners": { query: { disabled?: boolean | undefined; limit?: number | undefined; page?: number | undefined; visible?: boolean | undefined } };
  "GET /admin/actions/runners/jobs": { query: { labels?: string | undefined } };
  "GET /admin/actions/runners/registration-token": { query: {  } };
  "GET /admin/actions/runners/{runner_id}": { query: {  } };
  "GET /admin/actions/runs": { query: { actor?: string | undefined; branch?: string | undefined; event?: string | undefined; head_sha?: string | undefined; limit?: number | undefined; page?: number | undefined; status?: readonly string[] | undefined; ref?: string | undefined; workflow_id?: string | undefined; run_number?: number | undefined } };
  "GET /admin/cron": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /admin/emails": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /admin/emails/search": { query: { limit?: number | undefined; page?: number | undefined; q?: string | undefined } };
  "GET /admin/hooks": { query: { type?: "system" | "default" | "all" | Other | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /admin/hooks/{id}": { query: {  } };
  "GET /admin/orgs": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /admin/packages": { query: { limit?: number | undefined; page?: number | undefined; q?: string | undefined; type?: "alpine" | "cargo" | "chef" | "composer" | "conan" | "conda" | "container" | "cran" | "debian" | "generic" | "go" | "helm" | "maven" | "npm" | "nuget" | "pub" | "pypi" | "rpm" | "rubygems" | "swift" | "terraform" | "vagrant" | Other | undefined } };
  "GET /admin/quota/groups": { query: {  } };
  "GET /admin/quota/groups/{quotagroup}": { query: {  } };
  "GET /admin/quota/groups/{quotagroup}/users": { query: {  } };
  "GET /admin/quota/rules": { query: {  } };
  "GET /admin/quota/rules/{quotarule}": { query: {  } };
  "GET /admin/runners/jobs": { query: { labels?: string | undefined } };
  "GET /admin/runners/registration-token": { query: {  } };
  "GET /admin/unadopted": { query: { query?: string | undefined; limit?: number | undefined; page?: number | undefined; pattern?: string | undefined } };
  "GET /admin/users": { query: { is_active?: boolean | undefined; is_admin?: boolean | undefined; is_prohibit_login?: boolean | undefined; is_restricted?: boolean | undefined; order?: string | undefined; q?: string | undefined; visibility?: string | undefined; is_2fa_enabled?: boolean | undefined; sort?: string | undefined; limit?: number | undefined; login_name?: string | undefined; page?: number | undefined; source_id?: number | undefined } };
  "GET /admin/users/{username}/badges": { query: {  } };
  "GET /admin/users/{username}/emails": { query: {  } };
  "GET /admin/users/{username}/quota": { query: {  } };
  "GET /admin/users/{username}/tokens": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /gitignore/templates": { query: {  } };
  "GET /gitignore/templates/{name}": { query: {  } };
  "GET /label/templates": { query: {  } };
  "GET /label/templates/{name}": { query: {  } };
  "GET /licenses": { query: {  } };
  "GET /licenses/{name}": { query: {  } };
  "GET /nodeinfo": { query: {  } };
  "GET /notifications": { query: { all?: boolean | undefined; before?: string | undefined; limit?: number | undefined; page?: number | undefined; since?: string | undefined; "status-types"?: readonly string[] | undefined; "subject-type"?: readonly ("issue" | "pull" | "commit" | "repository" | Other)[] | undefined } };
  "GET /notifications/new": { query: {  } };
  "GET /notifications/threads/{id}": { query: {  } };
  "GET /orgs": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}": { query: {  } };
  "GET /orgs/{org}/actions/jobs": { query: { limit?: number | undefined; page?: number | undefined; status?: readonly string[] | undefined; sort?: string | undefined; order?: string | undefined } };
  "GET /orgs/{org}/actions/runners": { query: { disabled?: boolean | undefined; limit?: number | undefined; page?: number | undefined; visible?: boolean | undefined } };
  "GET /orgs/{org}/actions/runners/jobs": { query: { labels?: string | undefined } };
  "GET /orgs/{org}/actions/runners/registration-token": { query: {  } };
  "GET /orgs/{org}/actions/runners/{runner_id}": { query: {  } };
  "GET /orgs/{org}/actions/runs": { query: { actor?: string | undefined; branch?: string | undefined; event?: string | undefined; head_sha?: string | undefined; limit?: number | undefined; page?: number | undefined; status?: readonly string[] | undefined; ref?: string | undefined; workflow_id?: string | undefined; run_number?: number | undefined } };
  "GET /orgs/{org}/actions/secrets": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/actions/variables": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/actions/variables/{variablename}": { query: {  } };
  "GET /orgs/{org}/activities/feeds": { query: { date?: string | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/blocks": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/blocks/{username}": { query: {  } };
  "GET /orgs/{org}/hooks": { query: { limit?: number | undefined; page?: number | undefined; type?: "system" | "default" | "all" | Other | undefined } };
  "GET /orgs/{org}/hooks/{id}": { query: {  } };
  "GET /orgs/{org}/labels": { query: { sort?: "mostissues" | "leastissues" | "reversealphabetically" | Other | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/labels/{id}": { query: {  } };
  "GET /orgs/{org}/list_blocked": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/members": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/members/{username}": { query: {  } };
  "GET /orgs/{org}/projects": { query: { limit?: number | undefined; page?: number | undefined; state?: "open" | "closed" | "all" | Other | undefined } };
  "GET /orgs/{org}/projects/{id}": { query: {  } };
  "GET /orgs/{org}/projects/{id}/columns": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/projects/{id}/columns/{column_id}": { query: {  } };
  "GET /orgs/{org}/projects/{id}/columns/{column_id}/issues": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/public_members": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/public_members/{username}": { query: {  } };
  "GET /orgs/{org}/quota": { query: {  } };
  "GET /orgs/{org}/quota/artifacts": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/quota/attachments": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/quota/check": { query: { subject?: string | undefined } };
  "GET /orgs/{org}/quota/packages": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/repos": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/teams": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /orgs/{org}/teams/search": { query: { include_desc?: boolean | undefined; limit?: number | undefined; page?: number | undefined; q?: string | undefined } };
  "GET /packages/{owner}": { query: { limit?: number | undefined; page?: number | undefined; q?: string | undefined; type?: "alpine" | "cargo" | "chef" | "composer" | "conan" | "conda" | "container" | "cran" | "debian" | "generic" | "go" | "helm" | "maven" | "npm" | "nuget" | "pub" | "pypi" | "rpm" | "rubygems" | "swift" | "terraform" | "vagrant" | Other | undefined } };
  "GET /packages/{owner}/{type}/{name}": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /packages/{owner}/{type}/{name}/-/latest": { query: {  } };
  "GET /packages/{owner}/{type}/{name}/{version}": { query: {  } };
  "GET /packages/{owner}/{type}/{name}/{version}/files": { query: {  } };
  "GET /repos/issues/search": { query: { created_by?: string | undefined; sort?: "relevance" | "latest" | "oldest" | "recentupdate" | "leastupdate" | "mostcomment" | "leastcomment" | "nearduedate" | "farduedate" | Other | undefined; assigned?: boolean | undefined; before?: string | undefined; created?: boolean | undefined; labels?: string | undefined; limit?: number | undefined; mentioned?: boolean | undefined; milestones?: string | undefined; owner?: string | undefined; page?: number | undefined; priority_repo_id?: number | undefined; q?: string | undefined; review_requested?: boolean | undefined; reviewed?: boolean | undefined; since?: string | undefined; state?: "open" | "closed" | "all" | Other | undefined; team?: string | undefined; type?: "issues" | "pulls" | Other | undefined } };
  "GET /repos/search": { query: { archived?: boolean | undefined; exclusive?: boolean | undefined; includeDesc?: boolean | undefined; is_private?: boolean | undefined; limit?: number | undefined; mode?: string | undefined; order?: string | undefined; page?: number | undefined; priority_owner_id?: number | undefined; private?: boolean | undefined; q?: string | undefined; sort?: string | undefined; starredBy?: number | undefined; team_id?: number | undefined; template?: boolean | undefined; topic?: boolean | undefined; uid?: number | undefined } };
  "GET /repos/{owner}/{repo}": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/artifacts": { query: { limit?: number | undefined; name?: string | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/zip": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/jobs": { query: { order?: string | undefined; sort?: string | undefined; limit?: number | undefined; page?: number | undefined; status?: readonly string[] | undefined } };
  "GET /repos/{owner}/{repo}/actions/jobs/{job_id}": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/jobs/{job_id}/logs": { query: { format?: "text" | "ndjson" | Other | undefined; q?: string | undefined; qi?: boolean | undefined; step?: number | undefined; attempt?: number | undefined } };
  "GET /repos/{owner}/{repo}/actions/runners": { query: { disabled?: boolean | undefined; limit?: number | undefined; page?: number | undefined; visible?: boolean | undefined } };
  "GET /repos/{owner}/{repo}/actions/runners/jobs": { query: { labels?: string | undefined } };
  "GET /repos/{owner}/{repo}/actions/runners/registration-token": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/runners/{runner_id}": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/runs": { query: { exclude_pull_requests?: boolean | undefined; actor?: string | undefined; branch?: string | undefined; ref?: string | undefined; workflow_id?: string | undefined; event?: string | undefined; head_sha?: string | undefined; limit?: number | undefined; page?: number | undefined; run_number?: number | undefined; status?: readonly string[] | undefined } };
  "GET /repos/{owner}/{repo}/actions/runs/{run}": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/runs/{run}/artifacts": { query: { limit?: number | undefined; name?: string | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/runs/{run}/attempts/{attempt}/jobs": { query: { limit?: number | undefined; page?: number | undefined; status?: string | undefined } };
  "GET /repos/{owner}/{repo}/actions/runs/{run}/jobs": { query: { order?: string | undefined; sort?: string | undefined; limit?: number | undefined; page?: number | undefined; status?: string | undefined } };
  "GET /repos/{owner}/{repo}/actions/runs/{run}/logs": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/secrets": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/actions/tasks": { query: { status?: readonly ("unknown" | "waiting" | "running" | "success" | "failure" | "cancelled" | "skipped" | "blocked" | Other)[] | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/actions/variables": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/actions/variables/{variablename}": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/workflows": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}": { query: {  } };
  "GET /repos/{owner}/{repo}/actions/workflows/{workflow_id}/runs": { query: { actor?: string | undefined; branch?: string | undefined; event?: string | undefined; exclude_pull_requests?: boolean | undefined; head_sha?: string | undefined; limit?: number | undefined; page?: number | undefined; scoped_workflow_source_repo_id?: number | undefined; status?: readonly string[] | undefined } };
  "GET /repos/{owner}/{repo}/activities/feeds": { query: { date?: string | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/archive/{archive}": { query: { path?: readonly string[] | undefined } };
  "GET /repos/{owner}/{repo}/assignees": { query: {  } };
  "GET /repos/{owner}/{repo}/assignees/{assignee}": { query: {  } };
  "GET /repos/{owner}/{repo}/branch_protections": { query: {  } };
  "GET /repos/{owner}/{repo}/branch_protections/{name}": { query: {  } };
  "GET /repos/{owner}/{repo}/branches": { query: { q?: string | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/branches/{branch}": { query: {  } };
  "GET /repos/{owner}/{repo}/collaborators": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/collaborators/{collaborator}": { query: {  } };
  "GET /repos/{owner}/{repo}/collaborators/{collaborator}/permission": { query: {  } };
  "GET /repos/{owner}/{repo}/commits": { query: { since?: string | undefined; until?: string | undefined; files?: boolean | undefined; limit?: number | undefined; not?: string | undefined; page?: number | undefined; path?: string | undefined; sha?: string | undefined; stat?: boolean | undefined; verification?: boolean | undefined } };
  "GET /repos/{owner}/{repo}/commits/{ref}/status": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/commits/{ref}/statuses": { query: { limit?: number | undefined; page?: number | undefined; sort?: "oldest" | "recentupdate" | "leastupdate" | "leastindex" | "highestindex" | Other | undefined; state?: "pending" | "success" | "error" | "failure" | "warning" | Other | undefined } };
  "GET /repos/{owner}/{repo}/commits/{sha}/pull": { query: {  } };
  "GET /repos/{owner}/{repo}/compare/{basehead}": { query: { output?: "diff" | "patch" | Other | undefined; files?: boolean | undefined; verification?: boolean | undefined } };
  "GET /repos/{owner}/{repo}/contents": { query: { ref?: string | undefined } };
  "GET /repos/{owner}/{repo}/contents-ext/{filepath}": { query: { includes?: string | undefined; ref?: string | undefined } };
  "GET /repos/{owner}/{repo}/contents/{filepath}": { query: { ref?: string | undefined } };
  "GET /repos/{owner}/{repo}/editorconfig/{filepath}": { query: { ref?: string | undefined } };
  "GET /repos/{owner}/{repo}/file-contents": { query: { body?: string | undefined; ref?: string | undefined } };
  "GET /repos/{owner}/{repo}/flags": { query: {  } };
  "GET /repos/{owner}/{repo}/flags/{flag}": { query: {  } };
  "GET /repos/{owner}/{repo}/forks": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/git/blobs": { query: { shas?: string | undefined } };
  "GET /repos/{owner}/{repo}/git/blobs/{sha}": { query: {  } };
  "GET /repos/{owner}/{repo}/git/commits/{sha}": { query: { files?: boolean | undefined; stat?: boolean | undefined; verification?: boolean | undefined } };
  "GET /repos/{owner}/{repo}/git/commits/{sha}.{diffType}": { query: {  } };
  "GET /repos/{owner}/{repo}/git/notes/{sha}": { query: { files?: boolean | undefined; verification?: boolean | undefined } };
  "GET /repos/{owner}/{repo}/git/refs": { query: {  } };
  "GET /repos/{owner}/{repo}/git/refs/{ref}": { query: {  } };
  "GET /repos/{owner}/{repo}/git/tags/{sha}": { query: {  } };
  "GET /repos/{owner}/{repo}/git/trees/{sha}": { query: { page?: number | undefined; per_page?: number | undefined; recursive?: boolean | undefined } };
  "GET /repos/{owner}/{repo}/hooks": { query: { limit?: number | undefined; page?: number | undefined; type?: "system" | "default" | "all" | Other | undefined } };
  "GET /repos/{owner}/{repo}/hooks/git": { query: {  } };
  "GET /repos/{owner}/{repo}/hooks/git/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/hooks/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/issue_config": { query: {  } };
  "GET /repos/{owner}/{repo}/issue_config/validate": { query: {  } };
  "GET /repos/{owner}/{repo}/issue_templates": { query: {  } };
  "GET /repos/{owner}/{repo}/issues": { query: { sort?: "relevance" | "latest" | "oldest" | "recentupdate" | "leastupdate" | "mostcomment" | "leastcomment" | "nearduedate" | "farduedate" | Other | undefined; assigned_by?: string | undefined; before?: string | undefined; created_by?: string | undefined; labels?: string | undefined; limit?: number | undefined; mentioned_by?: string | undefined; milestones?: string | undefined; page?: number | undefined; q?: string | undefined; since?: string | undefined; state?: "closed" | "open" | "all" | Other | undefined; type?: "issues" | "pulls" | Other | undefined } };
  "GET /repos/{owner}/{repo}/issues/comments": { query: { before?: string | undefined; limit?: number | undefined; page?: number | undefined; since?: string | undefined } };
  "GET /repos/{owner}/{repo}/issues/comments/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/comments/{id}/assets": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/comments/{id}/reactions": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/pinned": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/{index}": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/{index}/assets": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/{index}/assignees/{assignee}": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/{index}/blocks": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/issues/{index}/comments": { query: { before?: string | undefined; since?: string | undefined } };
  "GET /repos/{owner}/{repo}/issues/{index}/dependencies": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/issues/{index}/labels": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/{index}/reactions": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/issues/{index}/subscriptions": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/issues/{index}/subscriptions/check": { query: {  } };
  "GET /repos/{owner}/{repo}/issues/{index}/timeline": { query: { before?: string | undefined; limit?: number | undefined; page?: number | undefined; since?: string | undefined } };
  "GET /repos/{owner}/{repo}/issues/{index}/times": { query: { before?: string | undefined; limit?: number | undefined; page?: number | undefined; since?: string | undefined; user?: string | undefined } };
  "GET /repos/{owner}/{repo}/keys": { query: { fingerprint?: string | undefined; key_id?: number | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/keys/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/labels": { query: { sort?: "mostissues" | "leastissues" | "reversealphabetically" | Other | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/labels/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/languages": { query: {  } };
  "GET /repos/{owner}/{repo}/licenses": { query: {  } };
  "GET /repos/{owner}/{repo}/media/{filepath}": { query: { ref?: string | undefined } };
  "GET /repos/{owner}/{repo}/milestones": { query: { limit?: number | undefined; name?: string | undefined; page?: number | undefined; state?: string | undefined } };
  "GET /repos/{owner}/{repo}/milestones/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/new_pin_allowed": { query: {  } };
  "GET /repos/{owner}/{repo}/notifications": { query: { all?: boolean | undefined; before?: string | undefined; limit?: number | undefined; page?: number | undefined; since?: string | undefined; "status-types"?: readonly string[] | undefined; "subject-type"?: readonly ("issue" | "pull" | "commit" | "repository" | Other)[] | undefined } };
  "GET /repos/{owner}/{repo}/projects": { query: { limit?: number | undefined; page?: number | undefined; state?: "open" | "closed" | "all" | Other | undefined } };
  "GET /repos/{owner}/{repo}/projects/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/projects/{id}/columns": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/projects/{id}/columns/{column_id}": { query: {  } };
  "GET /repos/{owner}/{repo}/projects/{id}/columns/{column_id}/issues": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/pulls": { query: { base_branch?: string | undefined; base?: string | undefined; head?: string | undefined; poster?: string | undefined; labels?: readonly number[] | undefined; limit?: number | undefined; milestone?: number | undefined; page?: number | undefined; sort?: "oldest" | "recentupdate" | "recentclose" | "leastupdate" | "mostcomment" | "leastcomment" | "priority" | Other | undefined; state?: "open" | "closed" | "all" | Other | undefined } };
  "GET /repos/{owner}/{repo}/pulls/pinned": { query: {  } };
  "GET /repos/{owner}/{repo}/pulls/{base}/{head}": { query: {  } };
  "GET /repos/{owner}/{repo}/pulls/{index}": { query: {  } };
  "GET /repos/{owner}/{repo}/pulls/{index}.{diffType}": { query: { binary?: boolean | undefined } };
  "GET /repos/{owner}/{repo}/pulls/{index}/commits": { query: { files?: boolean | undefined; limit?: number | undefined; page?: number | undefined; verification?: boolean | undefined } };
  "GET /repos/{owner}/{repo}/pulls/{index}/files": { query: { limit?: number | undefined; page?: number | undefined; "skip-to"?: string | undefined; whitespace?: "ignore-all" | "ignore-change" | "ignore-eol" | "show-all" | Other | undefined } };
  "GET /repos/{owner}/{repo}/pulls/{index}/merge": { query: {  } };
  "GET /repos/{owner}/{repo}/pulls/{index}/reviews": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/pulls/{index}/reviews/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments": { query: {  } };
  "GET /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments/{comment}": { query: {  } };
  "GET /repos/{owner}/{repo}/push_mirrors": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/push_mirrors/{name}": { query: {  } };
  "GET /repos/{owner}/{repo}/raw/{filepath}": { query: { ref?: string | undefined } };
  "GET /repos/{owner}/{repo}/releases": { query: { tag_filter?: string | undefined; q?: string | undefined; draft?: boolean | undefined; limit?: number | undefined; page?: number | undefined; "pre-release"?: boolean | undefined } };
  "GET /repos/{owner}/{repo}/releases/latest": { query: {  } };
  "GET /repos/{owner}/{repo}/releases/tags/{tag}": { query: {  } };
  "GET /repos/{owner}/{repo}/releases/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/releases/{id}/assets": { query: {  } };
  "GET /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}": { query: {  } };
  "GET /repos/{owner}/{repo}/reviewers": { query: {  } };
  "GET /repos/{owner}/{repo}/runners/registration-token": { query: {  } };
  "GET /repos/{owner}/{repo}/signing-key.gpg": { query: {  } };
  "GET /repos/{owner}/{repo}/signing-key.pub": { query: {  } };
  "GET /repos/{owner}/{repo}/stargazers": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/statuses/{sha}": { query: { limit?: number | undefined; page?: number | undefined; sort?: "oldest" | "recentupdate" | "leastupdate" | "leastindex" | "highestindex" | Other | undefined; state?: "pending" | "success" | "error" | "failure" | "warning" | Other | undefined } };
  "GET /repos/{owner}/{repo}/subscribers": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/subscription": { query: {  } };
  "GET /repos/{owner}/{repo}/sync_fork": { query: {  } };
  "GET /repos/{owner}/{repo}/sync_fork/{branch}": { query: {  } };
  "GET /repos/{owner}/{repo}/tag_protections": { query: {  } };
  "GET /repos/{owner}/{repo}/tag_protections/{id}": { query: {  } };
  "GET /repos/{owner}/{repo}/tags": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/tags/{tag}": { query: {  } };
  "GET /repos/{owner}/{repo}/teams": { query: {  } };
  "GET /repos/{owner}/{repo}/teams/{team}": { query: {  } };
  "GET /repos/{owner}/{repo}/times": { query: { before?: string | undefined; limit?: number | undefined; page?: number | undefined; since?: string | undefined; user?: string | undefined } };
  "GET /repos/{owner}/{repo}/times/{user}": { query: {  } };
  "GET /repos/{owner}/{repo}/topics": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/wiki/page/{pageName}": { query: {  } };
  "GET /repos/{owner}/{repo}/wiki/pages": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /repos/{owner}/{repo}/wiki/revisions/{pageName}": { query: { page?: number | undefined } };
  "GET /repositories/{id}": { query: {  } };
  "GET /settings/api": { query: {  } };
  "GET /settings/attachment": { query: {  } };
  "GET /settings/repository": { query: {  } };
  "GET /settings/ui": { query: {  } };
  "GET /signing-key.gpg": { query: {  } };
  "GET /signing-key.pub": { query: {  } };
  "GET /signing-key.ssh": { query: {  } };
  "GET /teams/{id}": { query: {  } };
  "GET /teams/{id}/activities/feeds": { query: { date?: string | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /teams/{id}/members": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /teams/{id}/members/{username}": { query: {  } };
  "GET /teams/{id}/repos": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /teams/{id}/repos/{org}/{repo}": { query: {  } };
  "GET /token": { query: {  } };
  "GET /topics/search": { query: { limit?: number | undefined; page?: number | undefined; q?: string | undefined } };
  "GET /user": { query: {  } };
  "GET /user/actions/jobs": { query: { order?: string | undefined; sort?: string | undefined; limit?: number | undefined; page?: number | undefined; status?: readonly string[] | undefined } };
  "GET /user/actions/runners": { query: { disabled?: boolean | undefined; limit?: number | undefined; page?: number | undefined; visible?: boolean | undefined } };
  "GET /user/actions/runners/jobs": { query: { labels?: string | undefined } };
  "GET /user/actions/runners/registration-token": { query: {  } };
  "GET /user/actions/runners/{runner_id}": { query: {  } };
  "GET /user/actions/runs": { query: { actor?: string | undefined; branch?: string | undefined; event?: string | undefined; head_sha?: string | undefined; limit?: number | undefined; page?: number | undefined; status?: readonly string[] | undefined; ref?: string | undefined; workflow_id?: string | undefined; run_number?: number | undefined } };
  "GET /user/actions/secrets": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/actions/variables": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/actions/variables/{variablename}": { query: {  } };
  "GET /user/applications/oauth2": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/applications/oauth2/{id}": { query: {  } };
  "GET /user/blocks": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/blocks/{username}": { query: {  } };
  "GET /user/emails": { query: {  } };
  "GET /user/followers": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/following": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/following/{username}": { query: {  } };
  "GET /user/gpg_key_token": { query: {  } };
  "GET /user/gpg_keys": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/gpg_keys/{id}": { query: {  } };
  "GET /user/hooks": { query: { limit?: number | undefined; page?: number | undefined; type?: "system" | "default" | "all" | Other | undefined } };
  "GET /user/hooks/{id}": { query: {  } };
  "GET /user/keys": { query: { fingerprint?: string | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /user/keys/{id}": { query: {  } };
  "GET /user/list_blocked": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/orgs": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/projects": { query: { limit?: number | undefined; page?: number | undefined; state?: "open" | "closed" | "all" | Other | undefined } };
  "GET /user/projects/{id}": { query: {  } };
  "GET /user/projects/{id}/columns": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/projects/{id}/columns/{column_id}": { query: {  } };
  "GET /user/projects/{id}/columns/{column_id}/issues": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/quota": { query: {  } };
  "GET /user/quota/artifacts": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/quota/attachments": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/quota/check": { query: { subject?: string | undefined } };
  "GET /user/quota/packages": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/repos": { query: { order_by?: "name" | "id" | "newest" | "oldest" | "recentupdate" | "leastupdate" | "reversealphabetically" | "alphabetically" | "reversesize" | "size" | "reversegitsize" | "gitsize" | "reverselfssize" | "lfssize" | "moststars" | "feweststars" | "mostforks" | "fewestforks" | Other | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /user/settings": { query: {  } };
  "GET /user/starred": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/starred/{owner}/{repo}": { query: {  } };
  "GET /user/stopwatches": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/subscriptions": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/teams": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /user/times": { query: { before?: string | undefined; limit?: number | undefined; page?: number | undefined; since?: string | undefined } };
  "GET /users/search": { query: { sort?: "oldest" | "newest" | "alphabetically" | "reversealphabetically" | "recentupdate" | "leastupdate" | Other | undefined; limit?: number | undefined; page?: number | undefined; q?: string | undefined; uid?: number | undefined } };
  "GET /users/{username}": { query: {  } };
  "GET /users/{username}/activities/feeds": { query: { date?: string | undefined; limit?: number | undefined; "only-performed-by"?: boolean | undefined; page?: number | undefined } };
  "GET /users/{username}/followers": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /users/{username}/following": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /users/{username}/following/{target}": { query: {  } };
  "GET /users/{username}/gpg_keys": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /users/{username}/heatmap": { query: {  } };
  "GET /users/{username}/keys": { query: { fingerprint?: string | undefined; limit?: number | undefined; page?: number | undefined } };
  "GET /users/{username}/orgs": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /users/{username}/orgs/{org}/permissions": { query: {  } };
  "GET /users/{username}/projects": { query: { limit?: number | undefined; page?: number | undefined; state?: "open" | "closed" | "all" | Other | undefined } };
  "GET /users/{username}/repos": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /users/{username}/starred": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /users/{username}/subscriptions": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /users/{username}/tokens": { query: { limit?: number | undefined; page?: number | undefined } };
  "GET /version": { query: {  } };
  "PATCH /admin/actions/runners/{runner_id}": { query: {  }; body: EditActionRunnerOption };
  "PATCH /admin/hooks/{id}": { query: {  }; body: EditHookOption };
  "PATCH /admin/quota/rules/{quotarule}": { query: {  }; body: EditQuotaRuleOptions };
  "PATCH /admin/users/{username}": { query: {  }; body: EditUserOption };
  "PATCH /notifications/threads/{id}": { query: { "to-status"?: string | undefined } };
  "PATCH /orgs/{org}": { query: {  }; body: EditOrgOption };
  "PATCH /orgs/{org}/actions/runners/{runner_id}": { query: {  }; body: EditActionRunnerOption };
  "PATCH /orgs/{org}/hooks/{id}": { query: {  }; body: EditHookOption };
  "PATCH /orgs/{org}/labels/{id}": { query: {  }; body: EditLabelOption };
  "PATCH /orgs/{org}/projects/{id}": { query: {  }; body: EditProjectOption };
  "PATCH /orgs/{org}/projects/{id}/columns/{column_id}": { query: {  }; body: EditProjectColumnOption };
  "PATCH /repos/{owner}/{repo}": { query: {  }; body: EditRepoOption };
  "PATCH /repos/{owner}/{repo}/actions/runners/{runner_id}": { query: {  }; body: EditActionRunnerOption };
  "PATCH /repos/{owner}/{repo}/branch_protections/{name}": { query: {  }; body: EditBranchProtectionOption };
  "PATCH /repos/{owner}/{repo}/branches/{branch}": { query: {  }; body: RenameBranchRepoOption };
  "PATCH /repos/{owner}/{repo}/hooks/git/{id}": { query: {  }; body: EditGitHookOption };
  "PATCH /repos/{owner}/{repo}/hooks/{id}": { query: {  }; body: EditHookOption };
  "PATCH /repos/{owner}/{repo}/issues/comments/{id}": { query: {  }; body: EditIssueCommentOption };
  "PATCH /repos/{owner}/{repo}/issues/comments/{id}/assets/{attachment_id}": { query: {  }; body: EditAttachmentOptions };
  "PATCH /repos/{owner}/{repo}/issues/{index}": { query: {  }; body: EditIssueOption };
  "PATCH /repos/{owner}/{repo}/issues/{index}/assets/{attachment_id}": { query: {  }; body: EditAttachmentOptions };
  "PATCH /repos/{owner}/{repo}/issues/{index}/comments/{id}": { query: {  }; body: EditIssueCommentOption };
  "PATCH /repos/{owner}/{repo}/issues/{index}/pin/{position}": { query: {  } };
  "PATCH /repos/{owner}/{repo}/labels/{id}": { query: {  }; body: EditLabelOption };
  "PATCH /repos/{owner}/{repo}/milestones/{id}": { query: {  }; body: EditMilestoneOption };
  "PATCH /repos/{owner}/{repo}/projects/{id}": { query: {  }; body: EditProjectOption };
  "PATCH /repos/{owner}/{repo}/projects/{id}/columns/{column_id}": { query: {  }; body: EditProjectColumnOption };
  "PATCH /repos/{owner}/{repo}/pulls/{index}": { query: {  }; body: EditPullRequestOption };
  "PATCH /repos/{owner}/{repo}/releases/{id}": { query: {  }; body: EditReleaseOption };
  "PATCH /repos/{owner}/{repo}/releases/{id}/assets/{attachment_id}": { query: {  }; body: EditAttachmentOptions };
  "PATCH /repos/{owner}/{repo}/tag_protections/{id}": { query: {  }; body: EditTagProtectionOption };
  "PATCH /repos/{owner}/{repo}/wiki/page/{pageName}": { query: {  }; body: CreateWikiPageOptions };
  "PATCH /teams/{id}": { query: {  }; body: EditTeamOption };
  "PATCH /user/actions/runners/{runner_id}": { query: {  }; body: EditActionRunnerOption };
  "PATCH /user/applications/oauth2/{id}": { query: {  }; body: CreateOAuth2ApplicationOptions };
  "PATCH /user/hooks/{id}": { query: {  }; body: EditHookOption };
  "PATCH /user/projects/{id}": { query: {  }; body: EditProjectOption };
  "PATCH /user/projects/{id}/columns/{column_id}": { query: {  }; body: EditProjectColumnOption };
  "PATCH /user/settings": { query: {  }; body: UserSettingsOptions };
  "POST /activitypub/actor/inbox": { query: {  } };
  "POST /activitypub/actor/outbox": { query: {  } };
  "POST /activitypub/repository-id/{repository-id}/inbox": { query: {  }; body: ForgeLike };
  "POST /activitypub/repository-id/{repository-id}/outbox": { query: {  } };
  "POST /activitypub/user-id/{user-id}/inbox": { query: {  } };
  "POST /admin/actions/runners": { query: {  }; body: RegisterRunnerOptions };
  "POST /admin/actions/runners/registration-token": { query: {  } };
  "POST /admin/cron/{task}": { query: {  } };
  "POST /admin/hooks": { query: {  }; body: CreateHookOption };
  "POST /admin/quota/groups": { query: {  }; body: CreateQuotaGroupOptions };
  "POST /admin/quota/rules": { query: {  }; body: CreateQuotaRuleOptions };
  "POST /admin/unadopted/{owner}/{repo}": { query: {  } };
  "POST /admin/users": { query: {  }; body: CreateUserOption };
  "POST /admin/users/{username}/badges": { query: {  }; body: UserBadgeOption };
  "POST /admin/users/{username}/keys": { query: {  }; body: CreateKeyOption };
  "POST /admin/users/{username}/orgs": { query: {  }; body: CreateOrgOption };
  "POST /admin/users/{username}/quota/groups": { query: {  }; body: SetUserQuotaGroupsOptions };
  "POST /admin/users/{username}/rename": { query: {  }; body: RenameUserOption };
  "POST /admin/users/{username}/repos": { query: {  }; body: CreateRepoOption };
  "POST /admin/users/{username}/tokens": { query: {  }; body: CreateAccessTokenOption };
  "POST /markdown": { query: {  }; body: MarkdownOption };
  "POST /markdown/raw": { query: {  }; body: string };
  "POST /markup": { query: {  }; body: MarkupOption };
  "POST /org/{org}/repos": { query: {  }; body: CreateRepoOption };
  "POST /orgs": { query: {  }; body: CreateOrgOption };
  "POST /orgs/{org}/actions/runners": { query: {  }; body: RegisterRunnerOptions };
  "POST /orgs/{org}/actions/runners/registration-token": { query: {  } };
  "POST /orgs/{org}/actions/variables/{variablename}": { query: {  }; body: CreateVariableOption };
  "POST /orgs/{org}/avatar": { query: {  }; body: UpdateUserAvatarOption };
  "POST /orgs/{org}/hooks": { query: {  }; body: CreateHookOption };
  "POST /orgs/{org}/labels": { query: {  }; body: CreateLabelOption };
  "POST /orgs/{org}/projects": { query: {  }; body: CreateProjectOption };
  "POST /orgs/{org}/projects/{id}/columns": { query: {  }; body: CreateProjectColumnOption };
  "POST /orgs/{org}/projects/{id}/columns/move": { query: {  }; body: MoveProjectColumnsOption };
  "POST /orgs/{org}/projects/{id}/columns/{column_id}/default": { query: {  } };
  "POST /orgs/{org}/projects/{id}/columns/{column_id}/issues/{issue_id}": { query: {  } };
  "POST /orgs/{org}/projects/{id}/issues/{issue_id}/move": { query: {  }; body: MoveProjectIssueOption };
  "POST /orgs/{org}/rename": { query: {  }; body: RenameOrgOption };
  "POST /orgs/{org}/repos": { query: {  }; body: CreateRepoOption };
  "POST /orgs/{org}/teams": { query: {  }; body: CreateTeamOption };
  "POST /packages/{owner}/{type}/{name}/-/link/{repo_name}": { query: {  } };
  "POST /packages/{owner}/{type}/{name}/-/unlink": { query: {  } };
  "POST /repos/migrate": { query: {  }; body: MigrateRepoOptions };
  "POST /repos/{owner}/{repo}/actions/jobs/{job_id}/rerun": { query: {  } };
  "POST /repos/{owner}/{repo}/actions/runners": { query: {  }; body: RegisterRunnerOptions };
  "POST /repos/{owner}/{repo}/actions/runners/registration-token": { query: {  } };
  "POST /repos/{owner}/{repo}/actions/runs/{run}/approve": { query: {  } };
  "POST /repos/{owner}/{repo}/actions/runs/{run}/cancel": { query: {  } };
  "POST /repos/{owner}/{repo}/actions/runs/{run}/force-cancel": { query: {  } };
  "POST /repos/{owner}/{repo}/actions/runs/{run}/jobs/{job_id}/rerun": { query: {  } };
  "POST /repos/{owner}/{repo}/actions/runs/{run}/rerun": { query: {  } };
  "POST /repos/{owner}/{repo}/actions/runs/{run}/rerun-failed-jobs": { query: {  } };
  "POST /repos/{owner}/{repo}/actions/variables/{variablename}": { query: {  }; body: CreateVariableOption };
  "POST /repos/{owner}/{repo}/actions/workflows/{workflow_id}/dispatches": { query: { scoped_workflow_source_repo_id?: number | undefined; return_run_details?: boolean | undefined }; body: CreateActionWorkflowDispatch };
  "POST /repos/{owner}/{repo}/avatar": { query: {  }; body: UpdateRepoAvatarOption };
  "POST /repos/{owner}/{repo}/branch_protections": { query: {  }; body: CreateBranchProtectionOption };
  "POST /repos/{owner}/{repo}/branch_protections/priority": { query: {  }; body: UpdateBranchProtectionPriories };
  "POST /repos/{owner}/{repo}/branches": { query: {  }; body: CreateBranchRepoOption };
  "POST /repos/{owner}/{repo}/contents": { query: {  }; body: ChangeFilesOptions };
  "POST /repos/{owner}/{repo}/contents/{filepath}": { query: {  }; body: CreateFileOptions };
  "POST /repos/{owner}/{repo}/convert": { query: {  } };
  "POST /repos/{owner}/{repo}/diffpatch": { query: {  }; body: ApplyDiffPatchFileOptions };
  "POST /repos/{owner}/{repo}/file-contents": { query: { ref?: string | undefined }; body: GetFilesOptions };
  "POST /repos/{owner}/{repo}/forks": { query: {  }; body: CreateForkOption };
  "POST /repos/{owner}/{repo}/git/notes/{sha}": { query: {  }; body: NoteOptions };
  "POST /repos/{owner}/{repo}/hooks": { query: {  }; body: CreateHookOption };
  "POST /repos/{owner}/{repo}/hooks/{id}/tests": { query: { ref?: string | undefined } };
  "POST /repos/{owner}/{repo}/issues": { query: {  }; body: CreateIssueOption };
  "POST /repos/{owner}/{repo}/issues/comments/{id}/assets": { query: { name?: string | undefined; updated_at?: string | undefined }; form: {"attachment":"file"} };
  "POST /repos/{owner}/{repo}/issues/comments/{id}/reactions": { query: {  }; body: EditReactionOption };
  "POST /repos/{owner}/{repo}/issues/{index}/assets": { query: { name?: string | undefined; updated_at?: string | undefined }; form: {"attachment":"file"} };
  "POST /repos/{owner}/{repo}/issues/{index}/assignees": { query: {  }; body: IssueAssigneesOption };
  "POST /repos/{owner}/{repo}/issues/{index}/blocks": { query: {  }; body: IssueMeta };
  "POST /repos/{owner}/{repo}/issues/{index}/comments": { query: {  }; body: CreateIssueCommentOption };
  "POST /repos/{owner}/{repo}/issues/{index}/deadline": { query: {  }; body: EditDeadlineOption };
  "POST /repos/{owner}/{repo}/issues/{index}/dependencies": { query: {  }; body: IssueMeta };
  "POST /repos/{owner}/{repo}/issues/{index}/labels": { query: {  }; body: IssueLabelsOption };
  "POST /repos/{owner}/{repo}/issues/{index}/pin": { query: {  } };
  "POST /repos/{owner}/{repo}/issues/{index}/reactions": { query: {  }; body: EditReactionOption };
  "POST /repos/{owner}/{repo}/issues/{index}/stopwatch/start": { query: {  } };
  "POST /repos/{owner}/{repo}/issues/{index}/stopwatch/stop": { query: {  } };
  "POST /repos/{owner}/{repo}/issues/{index}/times": { query: {  }; body: AddTimeOption };
  "POST /repos/{owner}/{repo}/keys": { query: {  }; body: CreateKeyOption };
  "POST /repos/{owner}/{repo}/keys/tokens": { query: {  }; body: CreateDeployKeyTokenOption };
  "POST /repos/{owner}/{repo}/labels": { query: {  }; body: CreateLabelOption };
  "POST /repos/{owner}/{repo}/merge-upstream": { query: {  }; body: MergeUpstreamRequest };
  "POST /repos/{owner}/{repo}/milestones": { query: {  }; body: CreateMilestoneOption };
  "POST /repos/{owner}/{repo}/mirror-sync": { query: {  } };
  "POST /repos/{owner}/{repo}/projects": { query: {  }; body: CreateProjectOption };
  "POST /repos/{owner}/{repo}/projects/{id}/columns": { query: {  }; body: CreateProjectColumnOption };
  "POST /repos/{owner}/{repo}/projects/{id}/columns/move": { query: {  }; body: MoveProjectColumnsOption };
  "POST /repos/{owner}/{repo}/projects/{id}/columns/{column_id}/default": { query: {  } };
  "POST /repos/{owner}/{repo}/projects/{id}/columns/{column_id}/issues/{issue_id}": { query: {  } };
  "POST /repos/{owner}/{repo}/projects/{id}/issues/{issue_id}/move": { query: {  }; body: MoveProjectIssueOption };
  "POST /repos/{owner}/{repo}/pulls": { query: {  }; body: CreatePullRequestOption };
  "POST /repos/{owner}/{repo}/pulls/comments/{id}/resolve": { query: {  } };
  "POST /repos/{owner}/{repo}/pulls/comments/{id}/unresolve": { query: {  } };
  "POST /repos/{owner}/{repo}/pulls/{index}/comments/{id}/replies": { query: {  }; body: CreatePullReviewCommentReplyOptions };
  "POST /repos/{owner}/{repo}/pulls/{index}/merge": { query: {  }; body: MergePullRequestOption };
  "POST /repos/{owner}/{repo}/pulls/{index}/requested_reviewers": { query: {  }; body: PullReviewRequestOptions };
  "POST /repos/{owner}/{repo}/pulls/{index}/reviews": { query: {  }; body: CreatePullReviewOptions };
  "POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id}": { query: {  }; body: SubmitPullReviewOptions };
  "POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/comments": { query: {  }; body: CreatePullReviewCommentOptions };
  "POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/dismissals": { query: {  }; body: DismissPullReviewOptions };
  "POST /repos/{owner}/{repo}/pulls/{index}/reviews/{id}/undismissals": { query: {  } };
  "POST /repos/{owner}/{repo}/pulls/{index}/update": { query: { style?: "merge" | "rebase" | Other | undefined } };
  "POST /repos/{owner}/{repo}/push_mirrors": { query: {  }; body: CreatePushMirrorOption };
  "POST /repos/{owner}/{repo}/push_mirrors-sync": { query: {  } };
  "POST /repos/{owner}/{repo}/releases": { query: {  }; body: CreateReleaseOption };
  "POST /repos/{owner}/{repo}/releases/{id}/assets": { query: { name?: string | undefined }; form: {"attachment":"file"} };
  "POST /repos/{owner}/{repo}/reparent": { query: {  }; body: ReparentRepoOption };
  "POST /repos/{owner}/{repo}/reparent/accept": { query: {  } };
  "POST /repos/{owner}/{repo}/reparent/reject": { query: {  } };
  "POST /repos/{owner}/{repo}/statuses/{sha}": { query: {  }; body: CreateStatusOption };
  "POST /repos/{owner}/{repo}/sync_fork": { query: {  } };
  "POST /repos/{owner}/{repo}/sync_fork/{branch}": { query: {  } };
  "POST /repos/{owner}/{repo}/tag_protections": { query: {  }; body: CreateTagProtectionOption };
  "POST /repos/{owner}/{repo}/tags": { query: {  }; body: CreateTagOption };
  "POST /repos/{owner}/{repo}/transfer": { query: {  }; body: TransferRepoOption };
  "POST /repos/{owner}/{repo}/transfer/accept": { query: {  } };
  "POST /repos/{owner}/{repo}/transfer/reject": { query: {  } };
  "POST /repos/{owner}/{repo}/wiki/new": { query: {  }; body: CreateWikiPageOptions };
  "POST /repos/{template_owner}/{template_repo}/generate": { query: {  }; body: GenerateRepoOption };
  "POST /user/actions/runners": { query: {  }; body: RegisterRunnerOptions };
  "POST /user/actions/runners/registration-token": { query: {  } };
  "POST /user/actions/variables/{variablename}": { query: {  }; body: CreateVariableOption };
  "POST /user/activitypub/follow": { query: {  }; body: APRemoteFollowOption };
  "POST /user/applications/oauth2": { query: {  }; body: CreateOAuth2ApplicationOptions };
  "POST /user/avatar": { query: {  }; body: UpdateUserAvatarOption };
  "POST /user/emails": { query: {  }; body: CreateEmailOption };
  "POST /user/gpg_key_verify": { query: {  }; body: VerifyGPGKeyOption };
  "POST /user/gpg_keys": { query: {  }; body: CreateGPGKeyOption };
  "POST /user/hooks": { query: {  }; body: CreateHookOption };
  "POST /user/keys": { query: {  }; body: CreateKeyOption };
  "POST /user/projects": { query: {  }; body: CreateProjectOption };
  "POST /user/projects/{id}/columns": { query: {  }; body: CreateProjectColumnOption };
  "POST /user/projects/{id}/columns/move": { query: {  }; body: MoveProjectColumnsOption };
  "POST /user/projects/{id}/columns/{column_id}/default": { query: {  } };
  "POST /user/projects/{id}/columns/{column_id}/issues/{issue_id}": { query: {  } };
  "POST /user/projects/{id}/issues/{issue_id}/move": { query: {  }; body: MoveProjectIssueOption };
  "POST /user/repos": { query: {  }; body: CreateRepoOption };
  "POST /users/{username}/tokens": { query: {  }; body: CreateAccessTokenOption };
  "PUT /admin/quota/groups/{quotagroup}/rules/{quotarule}": { query: {  } };
  "PUT /admin/quota/groups/{quotagroup}/users/{username}": { query: {  } };
  "PUT /notifications": { query: { all?: string | undefined; last_read_at?: string | undefined; "status-types"?: readonly string[] | undefined; "to-status"?: string | undefined } };
  "PUT /orgs/{org}/actions/secrets/{secretname}": { query: {  }; body: CreateOrUpdateSecretOption };
  "PUT /orgs/{org}/actions/variables/{variablename}": { query: {  }; body: UpdateVariableOption };
  "PUT /orgs/{org}/block/{username}": { query: {  } };
  "PUT /orgs/{org}/blocks/{username}": { query: { note?: string | undefined } };
  "PUT /orgs/{org}/public_members/{username}": { query: {  } };
  "PUT /orgs/{org}/unblock/{username}": { query: {  } };
  "PUT /repos/{owner}/{repo}/actions/secrets/{secretname}": { query: {  }; body: CreateOrUpdateSecretOption };
  "PUT /repos/{owner}/{repo}/actions/variables/{variablename}": { query: {  }; body: UpdateVariableOption };
  "PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/disable": { query: {  } };
  "PUT /repos/{owner}/{repo}/actions/workflows/{workflow_id}/enable": { query: {  } };
  "PUT /repos/{owner}/{repo}/branches/{branch}": { query: {  }; body: UpdateBranchRepoOption };
  "PUT /repos/{owner}/{repo}/collaborators/{collaborator}": { query: {  }; body: AddCollaboratorOption };
  "PUT /repos/{owner}/{repo}/contents/{filepath}": { query: {  }; body: UpdateFileOptions };
  "PUT /repos/{owner}/{repo}/flags": { query: {  }; body: ReplaceFlagsOption };
  "PUT /repos/{owner}/{repo}/flags/{flag}": { query: {  } };
  "PUT /repos/{owner}/{repo}/issues/{index}/labels": { query: {  }; body: IssueLabelsOption };
  "PUT /repos/{owner}/{repo}/issues/{index}/lock": { query: {  }; body: LockIssueOption };
  "PUT /repos/{owner}/{repo}/issues/{index}/subscriptions/{user}": { query: {  } };
  "PUT /repos/{owner}/{repo}/notifications": { query: { all?: string | undefined; last_read_at?: string | undefined; "status-types"?: readonly string[] | undefined; "to-status"?: string | undefined } };
  "PUT /repos/{owner}/{repo}/subscription": { query: {  } };
  "PUT /repos/{owner}/{repo}/teams/{team}": { query: {  } };
  "PUT /repos/{owner}/{repo}/topics": { query: {  }; body: RepoTopicOptions };
  "PUT /repos/{owner}/{repo}/topics/{topic}": { query: {  } };
  "PUT /teams/{id}/members/{username}": { query: {  } };
  "PUT /teams/{id}/repos/{org}/{repo}": { query: {  } };
  "PUT /user/actions/secrets/{secretname}": { query: {  }; body: CreateOrUpdateSecretOption };
  "PUT /user/actions/variables/{variablename}": { query: {  }; body: UpdateVariableOption };
  "PUT /user/block/{username}": { query: {  } };
  "PUT /user/blocks/{username}": { query: { note?: string | undefined } };
  "PUT /user/following/{username}": { query: {  } };
  "PUT /user/starred/{owner}/{repo}": { query: {  } };
  "PUT /user/unblock/{username}": { query: {  } };
  "GET /repos/{owner}/{repo}/contents-ext": { query: { ref?: string | undefined; includes?: string | undefined } };
}

export interface APRemoteFollowOption {
  readonly target?: string | undefined;
}

export interface AddCollaboratorOption {
  readonly permission?: "read" | "write" | "admin" | Other | undefined;
}

export interface AddTimeOption {
  readonly created?: string | undefined;
  readonly time: number;
  readonly user_name?: string | undefined;
}

export interface ApplyDiffPatchFileOptions {
  readonly force_push?: boolean | undefined;
  readonly author?: Identity | undefined;
  readonly branch?: string | undefined;
  readonly committer?: Identity | undefined;
  readonly content: string;
  readonly dates?: CommitDateOptions | undefined;
  readonly message?: string | undefined;
  readonly new_branch?: string | undefined;
  readonly signoff?: boolean | undefined;
  readonly sha?: string | undefined;
}

export interface ChangeFileOperation {
  readonly content?: string | undefined;
  readonly from_path?: string | undefined;
  readonly operation: "create" | "update" | "upload" | "rename" | "delete" | Other;
  readonly path: string;
  readonly sha?: string | undefined;
}

export interface ChangeFilesOptions {
  readonly force_push?: boolean | undefined;
  readonly force_overwrite_new_branch?: boolean | undefined;
  readonly author?: Identity | undefined;
  readonly branch?: string | undefined;
  readonly committer?: Identity | undefined;
  readonly dates?: CommitDateOptions | undefined;
  readonly files: readonly ChangeFileOperation[];
  readonly message?: string | undefined;
  readonly new_branch?: string | undefined;
  readonly signoff?: boolean | undefined;
}

export interface CommitDateOptions {
  readonly author?: string | undefined;
  readonly committer?: string | undefined;
}

export interface CreateAccessTokenOption {
  readonly repositories?: readonly RepoTargetOption[] | undefined;
  readonly name: string;
  readonly scopes?: readonly string[] | undefined;
}

export interface CreateActionWorkflowDispatch {
  readonly inputs?: Readonly<Record<string, string>> | undefined;
  readonly ref: string;
  readonly return_run_info?: boolean | undefined;
}

export interface CreateBranchProtectionOption {
  readonly block_on_codeowner_reviews?: boolean | undefined;
  readonly bypass_allowlist_teams?: readonly string[] | undefined;
  readonly bypass_allowlist_usernames?: readonly string[] | undefined;
  readonly enable_bypass_allowlist?: boolean | undefined;
  readonly block_admin_merge_override?: boolean | undefined;
  readonly enable_force_push?: boolean | undefined;
  readonly enable_force_push_allowlist?: boolean | undefined;
  readonly force_push_allowlist_deploy_keys?: boolean | undefined;
  readonly force_push_allowlist_teams?: readonly string[] | undefined;
  readonly force_push_allowlist_usernames?: readonly string[] | undefined;
  readonly priority?: number | undefined;
  readonly apply_to_admins?: boolean | undefined;
  readonly approvals_whitelist_teams?: readonly string[] | undefined;
  readonly approvals_whitelist_username?: readonly string[] | undefined;
  readonly block_on_official_review_requests?: boolean | undefined;
  readonly block_on_outdated_branch?: boolean | undefined;
  readonly block_on_rejected_reviews?: boolean | undefined;
  readonly branch_name?: string | undefined;
  readonly dismiss_stale_approvals?: boolean | undefined;
  readonly enable_approvals_whitelist?: boolean | undefined;
  readonly enable_merge_whitelist?: boolean | undefined;
  readonly enable_push?: boolean | undefined;
  readonly enable_push_whitelist?: boolean | undefined;
  readonly enable_status_check?: boolean | undefined;
  readonly ignore_stale_approvals?: boolean | undefined;
  readonly merge_whitelist_teams?: readonly string[] | undefined;
  readonly merge_whitelist_usernames?: readonly string[] | undefined;
  readonly protected_file_patterns?: string | undefined;
  readonly push_whitelist_deploy_keys?: boolean | undefined;
  readonly push_whitelist_teams?: readonly string[] | undefined;
  readonly push_whitelist_usernames?: readonly string[] | undefined;
  readonly require_signed_commits?: boolean | undefined;
  readonly required_approvals?: number | undefined;
  readonly rule_name?: string | undefined;
  readonly status_check_contexts?: readonly string[] | undefined;
  readonly unprotected_file_patterns?: string | undefined;
}

export interface CreateBranchRepoOption {
  readonly new_branch_name: string;
  readonly old_branch_name?: string | undefined;
  readonly old_ref_name?: string | undefined;
}

export interface CreateDeployKeyTokenOption {
  readonly read_only?: boolean | undefined;
  readonly title: string;
}

export interface CreateEmailOption {
  readonly emails?: readonly string[] | undefined;
}

export interface CreateFileOptions {
  readonly force_push?: boolean | undefined;
  readonly force_overwrite_new_branch?: boolean | undefined;
  readonly author?: Identity | undefined;
  readonly branch?: string | undefined;
  readonly committer?: Identity | undefined;
  readonly content: string;
  readonly dates?: CommitDateOptions | undefined;
  readonly message?: string | undefined;
  readonly new_branch?: string | undefined;
  readonly signoff?: boolean | undefined;
}

export interface CreateForkOption {
  readonly name?: string | undefined;
  readonly organization?: string | undefined;
}

export interface CreateGPGKeyOption {
  readonly armored_public_key: string;
  readonly armored_signature?: string | undefined;
}

export interface CreateHookOption {
  readonly name?: string | undefined;
  readonly active?: boolean | undefined;
  readonly authorization_header?: string | undefined;
  readonly branch_filter?: string | undefined;
  readonly config: Readonly<Record<string, string>>;
  readonly events?: readonly string[] | undefined;
  readonly type: "dingtalk" | "discord" | "gitea" | "gogs" | "msteams" | "slack" | "telegram" | "feishu" | "wechatwork" | "packagist" | Other;
}

export interface CreateIssueCommentOption {
  readonly body: string;
  readonly updated_at?: string | undefined;
}

export interface CreateIssueOption {
  readonly projects?: readonly number[] | undefined;
  readonly assignee?: string | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly body?: string | undefined;
  readonly closed?: boolean | undefined;
  readonly due_date?: string | undefined;
  readonly labels?: readonly number[] | undefined;
  readonly milestone?: number | undefined;
  readonly ref?: string | undefined;
  readonly title: string;
}

export interface CreateKeyOption {
  readonly key: string;
  readonly read_only?: boolean | undefined;
  readonly title: string;
}

export interface CreateLabelOption {
  readonly color: string;
  readonly description?: string | undefined;
  readonly exclusive?: boolean | undefined;
  readonly is_archived?: boolean | undefined;
  readonly name: string;
}

export interface CreateMilestoneOption {
  readonly description?: string | undefined;
  readonly due_on?: string | undefined;
  readonly state?: "open" | "closed" | Other | undefined;
  readonly title?: string | undefined;
}

export interface CreateOAuth2ApplicationOptions {
  readonly skip_secondary_authorization?: boolean | undefined;
  readonly confidential_client?: boolean | undefined;
  readonly name?: string | undefined;
  readonly redirect_uris?: readonly string[] | undefined;
}

export interface CreateOrUpdateSecretOption {
  readonly description?: string | undefined;
  readonly data: string;
}

export interface CreateOrgOption {
  readonly description?: string | undefined;
  readonly email?: string | undefined;
  readonly full_name?: string | undefined;
  readonly location?: string | undefined;
  readonly repo_admin_change_team_access?: boolean | undefined;
  readonly username: string;
  readonly visibility?: "public" | "limited" | "private" | Other | undefined;
  readonly website?: string | undefined;
}

export interface CreateProjectColumnOption {
  readonly color?: string | undefined;
  readonly title: string;
}

export interface CreateProjectOption {
  readonly card_type?: string | undefined;
  readonly description?: string | undefined;
  readonly template_type?: string | undefined;
  readonly title: string;
}

export interface CreatePullRequestOption {
  readonly allow_maintainer_edit?: boolean | undefined;
  readonly reviewers?: readonly string[] | undefined;
  readonly team_reviewers?: readonly string[] | undefined;
  readonly assignee?: string | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly base: string;
  readonly body?: string | undefined;
  readonly due_date?: string | undefined;
  readonly head: string;
  readonly labels?: readonly number[] | undefined;
  readonly milestone?: number | undefined;
  readonly title: string;
}

export interface CreatePullReviewComment {
  readonly extra_lines_count?: number | undefined;
  readonly body?: string | undefined;
  readonly new_position?: number | undefined;
  readonly old_position?: number | undefined;
  readonly path?: string | undefined;
}

export interface CreatePullReviewCommentOptions {

}

export interface CreatePullReviewCommentReplyOptions {
  readonly body?: string | undefined;
}

export interface CreatePullReviewOptions {
  readonly body?: string | undefined;
  readonly comments?: readonly CreatePullReviewComment[] | undefined;
  readonly commit_id?: string | undefined;
  readonly event?: "APPROVED" | "PENDING" | "COMMENT" | "REQUEST_CHANGES" | "REQUEST_REVIEW" | Other | undefined;
}

export interface CreatePushMirrorOption {
  readonly branch_filter?: string | undefined;
  readonly use_ssh?: boolean | undefined;
  readonly interval?: string | undefined;
  readonly remote_address?: string | undefined;
  readonly remote_password?: string | undefined;
  readonly remote_username?: string | undefined;
  readonly sync_on_commit?: boolean | undefined;
}

export interface CreateQuotaGroupOptions {
  readonly name?: string | undefined;
  readonly rules?: readonly CreateQuotaRuleOptions[] | undefined;
}

export interface CreateQuotaRuleOptions {
  readonly limit?: number | undefined;
  readonly name?: string | undefined;
  readonly subjects?: readonly string[] | undefined;
}

export interface CreateReleaseOption {
  readonly tag_message?: string | undefined;
  readonly hide_archive_links?: boolean | undefined;
  readonly body?: string | undefined;
  readonly draft?: boolean | undefined;
  readonly name?: string | undefined;
  readonly prerelease?: boolean | undefined;
  readonly tag_name: string;
  readonly target_commitish?: string | undefined;
}

export interface CreateRepoOption {
  readonly auto_init?: boolean | undefined;
  readonly default_branch?: string | undefined;
  readonly description?: string | undefined;
  readonly gitignores?: string | undefined;
  readonly issue_labels?: string | undefined;
  readonly license?: string | undefined;
  readonly name: string;
  readonly object_format_name?: "sha1" | "sha256" | Other | undefined;
  readonly private?: boolean | undefined;
  readonly readme?: string | undefined;
  readonly template?: boolean | undefined;
  readonly trust_model?: "default" | "collaborator" | "committer" | "collaboratorcommitter" | Other | undefined;
}

export interface CreateStatusOption {
  readonly context?: string | undefined;
  readonly description?: string | undefined;
  readonly state?: "pending" | "success" | "error" | "failure" | "warning" | "skipped" | Other | undefined;
  readonly target_url?: string | undefined;
}

export interface CreateTagOption {
  readonly message?: string | undefined;
  readonly tag_name: string;
  readonly target?: string | undefined;
}

export interface CreateTagProtectionOption {
  readonly name_pattern?: string | undefined;
  readonly whitelist_teams?: readonly string[] | undefined;
  readonly whitelist_usernames?: readonly string[] | undefined;
}

export interface CreateTeamOption {
  readonly visibility?: "public" | "limited" | "private" | Other | undefined;
  readonly can_create_org_repo?: boolean | undefined;
  readonly description?: string | undefined;
  readonly includes_all_repositories?: boolean | undefined;
  readonly name: string;
  readonly permission?: "read" | "write" | "admin" | Other | undefined;
  readonly units?: readonly string[] | undefined;
  readonly units_map?: Readonly<Record<string, string>> | undefined;
}

export interface CreateUserOption {
  readonly created_at?: string | undefined;
  readonly email: string;
  readonly full_name?: string | undefined;
  readonly login_name?: string | undefined;
  readonly must_change_password?: boolean | undefined;
  readonly password?: string | undefined;
  readonly restricted?: boolean | undefined;
  readonly send_notify?: boolean | undefined;
  readonly source_id?: number | undefined;
  readonly username: string;
  readonly visibility?: "public" | "limited" | "private" | Other | undefined;
}

export interface CreateVariableOption {
  readonly description?: string | undefined;
  readonly value: string;
}

export interface CreateWikiPageOptions {
  readonly content_base64?: string | undefined;
  readonly message?: string | undefined;
  readonly title?: string | undefined;
}

export interface DeleteEmailOption {
  readonly emails?: readonly string[] | undefined;
}

export interface DeleteFileOptions {
  readonly force_push?: boolean | undefined;
  readonly force_overwrite_new_branch?: boolean | undefined;
  readonly author?: Identity | undefined;
  readonly branch?: string | undefined;
  readonly committer?: Identity | undefined;
  readonly dates?: CommitDateOptions | undefined;
  readonly message?: string | undefined;
  readonly new_branch?: string | undefined;
  readonly sha: string;
  readonly signoff?: boolean | undefined;
}

export interface DeleteLabelsOption {
  readonly updated_at?: string | undefined;
}

export interface DismissPullReviewOptions {
  readonly message?: string | undefined;
  readonly priors?: boolean | undefined;
}

export interface EditActionRunnerOption {
  readonly disabled: boolean;
}

export interface EditAttachmentOptions {
  readonly browser_download_url?: string | undefined;
  readonly name?: string | undefined;
}

export interface EditBranchProtectionOption {
  readonly block_on_codeowner_reviews?: boolean | undefined;
  readonly bypass_allowlist_teams?: readonly string[] | undefined;
  readonly bypass_allowlist_usernames?: readonly string[] | undefined;
  readonly enable_bypass_allowlist?: boolean | undefined;
  readonly block_admin_merge_override?: boolean | undefined;
  readonly enable_force_push?: boolean | undefined;
  readonly enable_force_push_allowlist?: boolean | undefined;
  readonly force_push_allowlist_deploy_keys?: boolean | undefined;
  readonly force_push_allowlist_teams?: readonly string[] | undefined;
  readonly force_push_allowlist_usernames?: readonly string[] | undefined;
  readonly priority?: number | undefined;
  readonly apply_to_admins?: boolean | undefined;
  readonly approvals_whitelist_teams?: readonly string[] | undefined;
  readonly approvals_whitelist_username?: readonly string[] | undefined;
  readonly block_on_official_review_requests?: boolean | undefined;
  readonly block_on_outdated_branch?: boolean | undefined;
  readonly block_on_rejected_reviews?: boolean | undefined;
  readonly dismiss_stale_approvals?: boolean | undefined;
  readonly enable_approvals_whitelist?: boolean | undefined;
  readonly enable_merge_whitelist?: boolean | undefined;
  readonly enable_push?: boolean | undefined;
  readonly enable_push_whitelist?: boolean | undefined;
  readonly enable_status_check?: boolean | undefined;
  readonly ignore_stale_approvals?: boolean | undefined;
  readonly merge_whitelist_teams?: readonly string[] | undefined;
  readonly merge_whitelist_usernames?: readonly string[] | undefined;
  readonly protected_file_patterns?: string | undefined;
  readonly push_whitelist_deploy_keys?: boolean | undefined;
  readonly push_whitelist_teams?: readonly string[] | undefined;
  readonly push_whitelist_usernames?: readonly string[] | undefined;
  readonly require_signed_commits?: boolean | undefined;
  readonly required_approvals?: number | undefined;
  readonly status_check_contexts?: readonly string[] | undefined;
  readonly unprotected_file_patterns?: string | undefined;
}

export interface EditDeadlineOption {
  readonly due_date: string;
}

export interface EditGitHookOption {
  readonly content?: string | undefined;
}

export interface EditHookOption {
  readonly name?: string | undefined;
  readonly active?: boolean | undefined;
  readonly authorization_header?: string | undefined;
  readonly branch_filter?: string | undefined;
  readonly config?: Readonly<Record<string, string>> | undefined;
  readonly events?: readonly string[] | undefined;
}

export interface EditIssueCommentOption {
  readonly body: string;
  readonly updated_at?: string | undefined;
}

export interface EditIssueOption {
  readonly projects?: readonly number[] | undefined;
  readonly content_version?: number | undefined;
  readonly assignee?: string | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly body?: string | undefined;
  readonly due_date?: string | undefined;
  readonly milestone?: number | undefined;
  readonly ref?: string | undefined;
  readonly state?: string | undefined;
  readonly title?: string | undefined;
  readonly unset_due_date?: boolean | undefined;
  readonly updated_at?: string | undefined;
}

export interface EditLabelOption {
  readonly color?: string | undefined;
  readonly description?: string | undefined;
  readonly exclusive?: boolean | undefined;
  readonly is_archived?: boolean | undefined;
  readonly name?: string | undefined;
}

export interface EditMilestoneOption {
  readonly description?: string | undefined;
  readonly due_on?: string | undefined;
  readonly state?: "open" | "closed" | Other | undefined;
  readonly title?: string | undefined;
}

export interface EditOrgOption {
  readonly description?: string | undefined;
  readonly email?: string | undefined;
  readonly full_name?: string | undefined;
  readonly location?: string | undefined;
  readonly repo_admin_change_team_access?: boolean | undefined;
  readonly visibility?: "public" | "limited" | "private" | Other | undefined;
  readonly website?: string | undefined;
}

export interface EditProjectColumnOption {
  readonly color?: string | undefined;
  readonly sorting?: number | undefined;
  readonly title?: string | undefined;
}

export interface EditProjectOption {
  readonly card_type?: string | undefined;
  readonly description?: string | undefined;
  readonly state?: "open" | "closed" | Other | undefined;
  readonly title?: string | undefined;
}

export interface EditPullRequestOption {
  readonly content_version?: number | undefined;
  readonly allow_maintainer_edit?: boolean | undefined;
  readonly assignee?: string | undefined;
  readonly assignees?: readonly string[] | undefined;
  readonly base?: string | undefined;
  readonly body?: string | undefined;
  readonly due_date?: string | undefined;
  readonly labels?: readonly number[] | undefined;
  readonly milestone?: number | undefined;
  readonly state?: string | undefined;
  readonly title?: string | undefined;
  readonly unset_due_date?: boolean | undefined;
}

export interface EditQuotaRuleOptions {
  readonly limit?: number | undefined;
  readonly subjects?: readonly string[] | undefined;
}

export interface EditReactionOption {
  readonly content?: string | undefined;
}

export interface EditReleaseOption {
  readonly hide_archive_links?: boolean | undefined;
  readonly body?: string | undefined;
  readonly draft?: boolean | undefined;
  readonly name?: string | undefined;
  readonly prerelease?: boolean | undefined;
  readonly tag_name?: string | undefined;
  readonly target_commitish?: string | undefined;
}

export interface EditRepoOption {
  readonly allow_merge_update?: boolean | undefined;
  readonly mirror_password?: string | undefined;
  readonly mirror_token?: string | undefined;
  readonly mirror_username?: string | undefined;
  readonly has_code?: boolean | undefined;
  readonly projects_mode?: string | undefined;
  readonly default_update_style?: string | undefined;
  readonly globally_editable_wiki?: boolean | undefined;
  readonly allow_fast_forward_only_merge?: boolean | undefined;
  readonly allow_manual_merge?: boolean | undefined;
  readonly allow_merge_commits?: boolean | undefined;
  readonly allow_rebase?: boolean | undefined;
  readonly allow_rebase_explicit?: boolean | undefined;
  readonly allow_rebase_update?: boolean | undefined;
  readonly allow_squash_merge?: boolean | undefined;
  readonly archived?: boolean | undefined;
  readonly autodetect_manual_merge?: boolean | undefined;
  readonly default_allow_maintainer_edit?: boolean | undefined;
  readonly default_branch?: string | undefined;
  readonly default_delete_branch_after_merge?: boolean | undefined;
  readonly default_merge_style?: string | undefined;
  readonly description?: string | undefined;
  readonly enable_prune?: boolean | undefined;
  readonly external_tracker?: ExternalTracker | undefined;
  readonly external_wiki?: ExternalWiki | undefined;
  readonly has_actions?: boolean | undefined;
  readonly has_issues?: boolean | undefined;
  readonly has_packages?: boolean | undefined;
  readonly has_projects?: boolean | undefined;
  readonly has_pull_requests?: boolean | undefined;
  readonly has_releases?: boolean | undefined;
  readonly has_wiki?: boolean | undefined;
  readonly ignore_whitespace_conflicts?: boolean | undefined;
  readonly internal_tracker?: InternalTracker | undefined;
  readonly mirror_interval?: string | undefined;
  readonly name?: string | undefined;
  readonly private?: boolean | undefined;
  readonly template?: boolean | undefined;
  readonly website?: string | undefined;
  readonly wiki_branch?: string | undefined;
}

export interface EditTagProtectionOption {
  readonly name_pattern?: string | undefined;
  readonly whitelist_teams?: readonly string[] | undefined;
  readonly whitelist_usernames?: readonly string[] | undefined;
}

export interface EditTeamOption {
  readonly visibility?: "public" | "limited" | "private" | Other | undefined;
  readonly can_create_org_repo?: boolean | undefined;
  readonly description?: string | undefined;
  readonly includes_all_repositories?: boolean | undefined;
  readonly name?: string | undefined;
  readonly permission?: "read" | "write" | "admin" | Other | undefined;
  readonly units?: readonly string[] | undefined;
  readonly units_map?: Readonly<Record<string, string>> | undefined;
}

export interface EditUserOption {
  readonly type?: "User" | "Organization" | "Bot" | Other | undefined;
  readonly hide_email?: boolean | undefined;
  readonly active?: boolean | undefined;
  readonly admin?: boolean | undefined;
  readonly allow_create_organization?: boolean | undefined;
  readonly allow_git_hook?: boolean | undefined;
  readonly allow_import_local?: boolean | undefined;
  readonly description?: string | undefined;
  readonly email?: string | undefined;
  readonly full_name?: string | undefined;
  readonly location?: string | undefined;
  readonly login_name?: string | undefined;
  readonly max_repo_creation?: number | undefined;
  readonly must_change_password?: boolean | undefined;
  readonly password?: string | undefined;
  readonly prohibit_login?: boolean | undefined;
  readonly pronouns?: string | undefined;
  readonly restricted?: boolean | undefined;
  readonly source_id?: number | undefined;
  readonly visibility?: "public" | "limited" | "private" | Other | undefined;
  readonly website?: string | undefined;
}

export interface ExternalTracker {
  readonly external_tracker_format?: string | undefined;
  readonly external_tracker_regexp_pattern?: string | undefined;
  readonly external_tracker_style?: string | undefined;
  readonly external_tracker_url?: string | undefined;
}

export interface ExternalWiki {
  readonly external_wiki_url?: string | undefined;
}

export interface ForgeLike {

}

export interface GenerateRepoOption {
  readonly avatar?: boolean | undefined;
  readonly default_branch?: string | undefined;
  readonly description?: string | undefined;
  readonly git_content?: boolean | undefined;
  readonly git_hooks?: boolean | undefined;
  readonly labels?: boolean | undefined;
  readonly name: string;
  readonly owner: string;
  readonly private?: boolean | undefined;
  readonly protected_branch?: boolean | undefined;
  readonly topics?: boolean | undefined;
  readonly webhooks?: boolean | undefined;
}

export interface GetFilesOptions {
  readonly files: readonly string[];
}

export interface Identity {
  readonly email?: string | undefined;
  readonly name?: string | undefined;
}

export interface InternalTracker {
  readonly allow_only_contributors_to_track_time?: boolean | undefined;
  readonly enable_issue_dependencies?: boolean | undefined;
  readonly enable_time_tracker?: boolean | undefined;
}

export interface IssueAssigneesOption {
  readonly assignees?: readonly string[] | undefined;
}

export interface IssueLabelsOption {
  readonly labels?: readonly unknown[] | undefined;
  readonly updated_at?: string | undefined;
}

export interface IssueMeta {
  readonly index: number;
  readonly owner: string;
  readonly repo: string;
}

export interface LockIssueOption {
  readonly lock_reason?: string | undefined;
  readonly reason?: string | undefined;
}

export interface MarkdownOption {
  readonly Context?: string | undefined;
  readonly Mode?: string | undefined;
  readonly Text?: string | undefined;
  readonly Wiki?: boolean | undefined;
}

export interface MarkupOption {
  readonly BranchPath?: string | undefined;
  readonly Context?: string | undefined;
  readonly FilePath?: string | undefined;
  readonly Mode?: string | undefined;
  readonly Text?: string | undefined;
  readonly Wiki?: boolean | undefined;
}

export interface MergePullRequestOption {
  readonly merge_commit_id?: string | undefined;
  readonly merge_message_field?: string | undefined;
  readonly merge_title_field?: string | undefined;
  readonly Do: "merge" | "rebase" | "rebase-merge" | "squash" | "fast-forward-only" | "manually-merged" | Other;
  readonly MergeCommitID?: string | undefined;
  readonly MergeMessageField?: string | undefined;
  readonly MergeTitleField?: string | undefined;
  readonly delete_branch_after_merge?: boolean | undefined;
  readonly force_merge?: boolean | undefined;
  readonly head_commit_id?: string | undefined;
  readonly merge_when_checks_succeed?: boolean | undefined;
}

export interface MergeUpstreamRequest {
  readonly ff_only?: boolean | undefined;
  readonly branch?: string | undefined;
}

export interface MigrateRepoOptions {
  readonly aws_access_key_id?: string | undefined;
  readonly aws_secret_access_key?: string | undefined;
  readonly auth_password?: string | undefined;
  readonly auth_token?: string | undefined;
  readonly auth_username?: string | undefined;
  readonly clone_addr: string;
  readonly description?: string | undefined;
  readonly issues?: boolean | undefined;
  readonly labels?: boolean | undefined;
  readonly lfs?: boolean | undefined;
  readonly lfs_endpoint?: string | undefined;
  readonly milestones?: boolean | undefined;
  readonly mirror?: boolean | undefined;
  readonly mirror_interval?: string | undefined;
  readonly private?: boolean | undefined;
  readonly pull_requests?: boolean | undefined;
  readonly releases?: boolean | undefined;
  readonly repo_name: string;
  readonly repo_owner?: string | undefined;
  readonly service?: "git" | "github" | "gitea" | "gitlab" | "gogs" | "onedev" | "gitbucket" | "codebase" | "codecommit" | Other | undefined;
  readonly uid?: number | undefined;
  readonly wiki?: boolean | undefined;
}

export interface MoveProjectColumnsOption {
  readonly column_ids: readonly number[];
}

export interface MoveProjectIssueOption {
  readonly column_id: number;
  readonly sorting?: number | undefined;
}

export interface NoteOptions {
  readonly message?: string | undefined;
}

export interface PullReviewRequestOptions {
  readonly reviewers?: readonly string[] | undefined;
  readonly team_reviewers?: readonly string[] | undefined;
}

export interface RegisterRunnerOptions {
  readonly description?: string | undefined;
  readonly ephemeral?: boolean | undefined;
  readonly name: string;
}

export interface RenameBranchRepoOption {
  readonly name: string;
}

export interface RenameOrgOption {
  readonly new_name: string;
}

export interface RenameUserOption {
  readonly new_username: string;
}

export interface ReparentRepoOption {
  readonly new_name?: string | undefined;
  readonly new_owner: string;
}

export interface ReplaceFlagsOption {
  readonly flags?: readonly string[] | undefined;
}

export interface RepoTargetOption {
  readonly name: string;
  readonly owner: string;
}

export interface RepoTopicOptions {
  readonly topics?: readonly string[] | undefined;
}

export interface SetUserQuotaGroupsOptions {
  readonly groups: readonly string[];
}

export interface SubmitPullReviewOptions {
  readonly body?: string | undefined;
  readonly event?: "APPROVED" | "PENDING" | "COMMENT" | "REQUEST_CHANGES" | "REQUEST_REVIEW" | Other | undefined;
}

export interface TransferRepoOption {
  readonly new_owner: string;
  readonly team_ids?: readonly number[] | undefined;
}

export interface UpdateBranchProtectionPriories {
  readonly ids?: readonly number[] | undefined;
}

export interface UpdateBranchRepoOption {
  readonly force?: boolean | undefined;
  readonly new_commit_id: string;
  readonly old_commit_id?: string | undefined;
  readonly name?: string | undefined;
}

export interface UpdateFileOptions {
  readonly force_push?: boolean | undefined;
  readonly force_overwrite_new_branch?: boolean | undefined;
  readonly author?: Identity | undefined;
  readonly branch?: string | undefined;
  readonly committer?: Identity | undefined;
  readonly content: string;
  readonly dates?: CommitDateOptions | undefined;
  readonly from_path?: string | undefined;
  readonly message?: string | undefined;
  readonly new_branch?: string | undefined;
  readonly sha?: string | undefined;
  readonly signoff?: boolean | undefined;
}

export interface UpdateRepoAvatarOption {
  readonly image?: string | undefined;
}

export interface UpdateUserAvatarOption {
  readonly image?: string | undefined;
}

export interface UpdateVariableOption {
  readonly description?: string | undefined;
  readonly name?: string | undefined;
  readonly value: string;
}

export interface UserBadgeOption {
  readonly badge_slugs: readonly string[];
}

export interface UserSettingsOptions {
  readonly hide_pronouns?: boolean | undefined;
  readonly description?: string | undefined;
  readonly diff_view_style?: string | undefined;
  readonly enable_repo_unit_hints?: boolean | undefined;
  readonly full_name?: string | undefined;
  readonly hide_activity?: boolean | undefined;
  readonly hide_email?: boolean | undefined;
  readonly language?: string | undefined;
  readonly location?: string | undefined;
  readonly pronouns?: string | undefined;
  readonly theme?: string | undefined;
  readonly website?: string | undefined;
}

export interface VerifyGPGKeyOption {
  readonly armored_signature?: string | undefined;
  readonly key_id: string;
}
