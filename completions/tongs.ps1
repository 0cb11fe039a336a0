# PowerShell completion for tongs, made from its command table by: npm run generate
# Use it with: tongs completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName tongs -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

    $Steps = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Steps[' pr'] = 'pr'
    $Steps[' user'] = 'user'
    $Steps[' star'] = 'star'
    $Steps[' follow'] = 'follow'
    $Steps[' hook'] = 'hook'
    $Steps[' sandbox'] = 'sandbox'
    $Steps[' completion'] = 'completion'
    $Steps[' schema'] = 'schema'
    $Steps[' version'] = 'version'
    $Steps['pr list'] = 'pr list'
    $Steps['pr ls'] = 'pr list'
    $Steps['pr view'] = 'pr view'
    $Steps['user list'] = 'user list'
    $Steps['user ls'] = 'user list'
    $Steps['user view'] = 'user view'
    $Steps['user create'] = 'user create'
    $Steps['user edit'] = 'user edit'
    $Steps['user delete'] = 'user delete'
    $Steps['user rm'] = 'user delete'
    $Steps['user rename'] = 'user rename'
    $Steps['user import'] = 'user import'
    $Steps['user key'] = 'user key'
    $Steps['user badge'] = 'user badge'
    $Steps['user email'] = 'user email'
    $Steps['user key list'] = 'user key list'
    $Steps['user key ls'] = 'user key list'
    $Steps['user key add'] = 'user key add'
    $Steps['user key delete'] = 'user key delete'
    $Steps['user key rm'] = 'user key delete'
    $Steps['user badge list'] = 'user badge list'
    $Steps['user badge ls'] = 'user badge list'
    $Steps['user badge add'] = 'user badge add'
    $Steps['user badge remove'] = 'user badge remove'
    $Steps['user badge rm'] = 'user badge remove'
    $Steps['user email list'] = 'user email list'
    $Steps['user email ls'] = 'user email list'
    $Steps['star add'] = 'star add'
    $Steps['star remove'] = 'star remove'
    $Steps['star rm'] = 'star remove'
    $Steps['star list'] = 'star list'
    $Steps['star ls'] = 'star list'
    $Steps['star check'] = 'star check'
    $Steps['follow add'] = 'follow add'
    $Steps['follow remove'] = 'follow remove'
    $Steps['follow rm'] = 'follow remove'
    $Steps['follow list'] = 'follow list'
    $Steps['follow ls'] = 'follow list'
    $Steps['follow followers'] = 'follow followers'
    $Steps['follow check'] = 'follow check'
    $Steps['hook list'] = 'hook list'
    $Steps['hook ls'] = 'hook list'
    $Steps['hook create'] = 'hook create'
    $Steps['hook edit'] = 'hook edit'
    $Steps['hook delete'] = 'hook delete'
    $Steps['hook rm'] = 'hook delete'
    $Steps['hook test'] = 'hook test'
    $Steps[' unstar'] = 'star remove'
    $Steps[' unfollow'] = 'follow remove'
    $Usual = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Usual['star'] = 'star add'
    $Usual['follow'] = 'follow add'
    $Verbs = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Verbs[''] = @("pr`tWork on pull requests", "user`tManage accounts", "star`tStar repositories", "follow`tFollow users", "hook`tManage webhooks", "sandbox`tRun a small forge of your own, to try things on", "completion`tPrint the completion script of a shell", "schema`tDescribe commands for machines, as JSON", "version`tShow the version of tongs")
    $Verbs['pr'] = @("list`tList pull requests", "view`tShow a pull request")
    $Verbs['user'] = @("list`tList the accounts of the server", "view`tShow an account", "create`tCreate an account", "edit`tChange an account", "delete`tDelete accounts", "rename`tRename an account", "import`tCreate and update accounts from a file", "key`tManage public keys of accounts", "badge`tManage badges of accounts", "email`tSee the mail addresses of accounts")
    $Verbs['user key'] = @("list`tList a user's public keys", "add`tAdd a public key to a user", "delete`tDelete public keys of a user")
    $Verbs['user badge'] = @("list`tList a user's badges", "add`tGive badges to a user", "remove`tTake badges from a user")
    $Verbs['user email'] = @("list`tList the mail addresses of all accounts")
    $Verbs['star'] = @("add`tStar repositories", "remove`tTake stars from repositories", "list`tList starred repositories", "check`tTell whether you star a repository")
    $Verbs['follow'] = @("add`tFollow users", "remove`tStop following users", "list`tList who is followed", "followers`tList followers", "check`tTell whether a user is followed")
    $Verbs['hook'] = @("list`tList webhooks", "create`tCreate a webhook", "edit`tChange a webhook", "delete`tDelete webhooks", "test`tDeliver a test event to a repository's webhook")
    $Anywhere = @("-R`tthe repository: OWNER/NAME, HOST/OWNER/NAME or a URL", "--repo`tthe repository: OWNER/NAME, HOST/OWNER/NAME or a URL", "--profile`tthe stored profile", "--host`tthe server's address", "--json`tprint the whole record as JSON, or only these fields", "--jsonl`tprint one JSON record a line, as they arrive", "--csv`tprint CSV", "--jq`tfilter the JSON with a jq expression", "--limit`tlists: at most this many (30)", "--all`tlists: every page", "--dry-run`tprint the first write instead of sending it", "-y`tanswer yes to confirmations", "--yes`tanswer yes to confirmations", "--no-input`tnever prompt", "-q`tno notes on stderr", "--quiet`tno notes on stderr", "--debug`tprint every exchange on stderr, secrets masked", "--color`twhen to colour", "--timeout`ttime for one answer to begin (30; 0 waits for ever)", "-h`thelp for any noun or verb", "--help`thelp for any noun or verb", "--version`tthe version")
    $Flags = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Flags['pr list'] = @("--state`tin which state", "--base`tinto this branch")
    $Flags['pr view'] = @("--comments`tshow the comments, too", "--web`topen it in the browser")
    $Flags['user list'] = @("--query`twith this in name, full name or mail", "--admin`tadministrators only, or none of them", "--no-admin`tnot: administrators only, or none of them", "--active`tactive accounts only", "--inactive`tinactive accounts only", "--restricted`trestricted accounts only, or none of them", "--no-restricted`tnot: restricted accounts only, or none of them", "--2fa`twith a second factor, or without", "--no-2fa`tnot: with a second factor, or without", "--prohibit-login`twho may not sign in, or who may", "--no-prohibit-login`tnot: who may not sign in, or who may", "--visibility`tof this visibility", "--source-id`tof this login source (0 is the server itself)", "--login-name`twith exactly this name at the login source", "--sort`tin the order of", "--order`tup or down")
    $Flags['user create'] = @("--email`tthe mail address", "--full-name`tthe display name", "--password-stdin`tread the password from stdin", "--password-file`tread the password from this file", "--generate-password`tmake a password and print it", "--no-must-change-password`tthe password need not be changed at the first sign-in", "--admin`tmake the account an administrator", "--restricted`tthe account sees only what it is added to", "--visibility`twho sees the account", "--source-id`tthe login source (0 is the server itself)", "--login-name`tthe name at the login source", "--notify`tthe server sends a mail about the new account", "--created-at`tdate the account back to this time")
    $Flags['user edit'] = @("--email`tthe primary mail address", "--full-name`tthe display name", "--password-stdin`tread a new password from stdin", "--password-file`tread a new password from this file", "--must-change-password`tthe password must be changed at the next sign-in", "--no-must-change-password`tnot: the password must be changed at the next sign-in", "--admin`tadministrator", "--no-admin`tnot: administrator", "--active`tactive", "--no-active`tnot: active", "--restricted`tsees only what it is added to", "--no-restricted`tnot: sees only what it is added to", "--prohibit-login`tmay not sign in", "--no-prohibit-login`tnot: may not sign in", "--visibility`twho sees the account", "--website`tthe web site", "--location`tthe location", "--description`tthe description", "--max-repo-creation`thow many repositories the account may own (-1: the server's default)", "--allow-git-hook`tmay edit git hooks", "--no-allow-git-hook`tnot: may edit git hooks", "--allow-import-local`tmay import local repositories", "--no-allow-import-local`tnot: may import local repositories", "--allow-create-organization`tmay create organizations", "--no-allow-create-organization`tnot: may create organizations", "--source-id`tthe login source (0 is the server itself)", "--login-name`tthe name at the login source")
    $Flags['user delete'] = @("--purge`tdestroy the repositories, organizations and packages, too")
    $Flags['user import'] = @("--format`twhat the file is (by its name)", "--plan`tonly say what would happen; nothing but reads is sent", "--on-existing`tan account that is there already", "--generate-passwords`tmake missing passwords and write them to this new file (0600)", "--jobs`thow many requests are under way at once (8)", "--journal`tthe journal (FILE.journal)", "--resume`tgo on after an interruption")
    $Flags['user key add'] = @("--title`twhat the key is called (default: its comment)", "--key-file`tthe file with the public key; - is stdin", "--read-only`tsent as it is; the servers heed it for deploy keys only")
    $Flags['user email list'] = @("--query`twith this in the address or the user's name")
    $Flags['star list'] = @("--user`tof this user instead of yourself")
    $Flags['follow list'] = @("--user`tby this user instead of yourself")
    $Flags['follow followers'] = @("--user`tof this user instead of yourself")
    $Flags['follow check'] = @("--by`tby this user instead of yourself")
    $Flags['hook list'] = @("--org`tof this organization", "--user`tyour own, for all your repositories", "--admin`tof the whole server", "--type`twith --admin: which kind")
    $Flags['hook create'] = @("--org`tof this organization", "--user`tyour own, for all your repositories", "--admin`tof the whole server", "--type`twhat receives the events", "--system`twith --admin: for all repositories, instead of a default for new ones", "--url`twhere the events are delivered", "--content-type`tjson or form", "--event`tthe events that are delivered (push)", "--branch-filter`tonly of branches that fit this pattern", "--secret-stdin`tread the secret that signs deliveries from stdin", "--secret-file`tread the secret from this file", "--authorization-header-file`tread the Authorization header of deliveries from this file", "--config`tfurther settings of this kind of hook: channel=…", "--active`tdeliver events", "--no-active`tnot: deliver events", "--name`twhat the hook is called")
    $Flags['hook edit'] = @("--org`tof this organization", "--user`tyour own, for all your repositories", "--admin`tof the whole server", "--url`twhere the events are delivered", "--content-type`tjson or form", "--event`tthe events that are delivered (push)", "--branch-filter`tonly of branches that fit this pattern", "--secret-stdin`tread the secret that signs deliveries from stdin", "--secret-file`tread the secret from this file", "--authorization-header-file`tread the Authorization header of deliveries from this file", "--config`tfurther settings of this kind of hook: channel=…", "--active`tdeliver events", "--no-active`tnot: deliver events", "--name`twhat the hook is called")
    $Flags['hook delete'] = @("--org`tof this organization", "--user`tyour own, for all your repositories", "--admin`tof the whole server")
    $Flags['hook test'] = @("--ref`tas if this branch had been pushed")
    $Flags['sandbox'] = @("--port`tthe port to listen on; 0 picks a free one (3030)", "--dir`tkeep repositories and state in this folder, and go on from there", "--empty`tno demonstration project: only the administrator")
    $Values = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Values['-R'] = @()
    $Values['--repo'] = @()
    $Values['--profile'] = @()
    $Values['--host'] = @()
    $Values['--jq'] = @()
    $Values['--limit'] = @()
    $Values['--color'] = @('auto', 'always', 'never')
    $Values['--timeout'] = @()
    $Values['pr list --state'] = @('open', 'closed', 'merged', 'all')
    $Values['pr list --base'] = @()
    $Values['user list --query'] = @()
    $Values['user list --visibility'] = @('public', 'limited', 'private')
    $Values['user list --source-id'] = @()
    $Values['user list --login-name'] = @()
    $Values['user list --sort'] = @('name', 'created', 'updated', 'id')
    $Values['user list --order'] = @('asc', 'desc')
    $Values['user create --email'] = @()
    $Values['user create --full-name'] = @()
    $Values['user create --password-file'] = @()
    $Values['user create --visibility'] = @('public', 'limited', 'private')
    $Values['user create --source-id'] = @()
    $Values['user create --login-name'] = @()
    $Values['user create --created-at'] = @()
    $Values['user edit --email'] = @()
    $Values['user edit --full-name'] = @()
    $Values['user edit --password-file'] = @()
    $Values['user edit --visibility'] = @('public', 'limited', 'private')
    $Values['user edit --website'] = @()
    $Values['user edit --location'] = @()
    $Values['user edit --description'] = @()
    $Values['user edit --max-repo-creation'] = @()
    $Values['user edit --source-id'] = @()
    $Values['user edit --login-name'] = @()
    $Values['user import --format'] = @('csv', 'jsonl')
    $Values['user import --on-existing'] = @('skip', 'update', 'fail')
    $Values['user import --generate-passwords'] = @()
    $Values['user import --jobs'] = @()
    $Values['user import --journal'] = @()
    $Values['user key add --title'] = @()
    $Values['user key add --key-file'] = @()
    $Values['user email list --query'] = @()
    $Values['star list --user'] = @()
    $Values['follow list --user'] = @()
    $Values['follow followers --user'] = @()
    $Values['follow check --by'] = @()
    $Values['hook list --org'] = @()
    $Values['hook list --type'] = @('system', 'default', 'all')
    $Values['hook create --org'] = @()
    $Values['hook create --type'] = @('gitea', 'gogs', 'slack', 'discord', 'dingtalk', 'telegram', 'msteams', 'feishu', 'matrix', 'wechatwork', 'packagist', 'forgejo', 'sourcehut_builds')
    $Values['hook create --url'] = @()
    $Values['hook create --content-type'] = @()
    $Values['hook create --event'] = @()
    $Values['hook create --branch-filter'] = @()
    $Values['hook create --secret-file'] = @()
    $Values['hook create --authorization-header-file'] = @()
    $Values['hook create --config'] = @()
    $Values['hook create --name'] = @()
    $Values['hook edit --org'] = @()
    $Values['hook edit --url'] = @()
    $Values['hook edit --content-type'] = @()
    $Values['hook edit --event'] = @()
    $Values['hook edit --branch-filter'] = @()
    $Values['hook edit --secret-file'] = @()
    $Values['hook edit --authorization-header-file'] = @()
    $Values['hook edit --config'] = @()
    $Values['hook edit --name'] = @()
    $Values['hook delete --org'] = @()
    $Values['hook test --ref'] = @()
    $Values['sandbox --port'] = @()
    $Values['sandbox --dir'] = @()
    $Arguments = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Arguments['completion 0'] = @('bash', 'zsh', 'fish', 'powershell')
    $Fields = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)
    $Fields['pr list'] = @('id', 'url', 'number', 'user', 'title', 'body', 'labels', 'milestone', 'assignee', 'assignees', 'requested_reviewers', 'requested_reviewers_teams', 'state', 'draft', 'is_locked', 'comments', 'review_comments', 'additions', 'deletions', 'changed_files', 'html_url', 'diff_url', 'patch_url', 'mergeable', 'merged', 'merged_at', 'merge_commit_sha', 'merged_by', 'allow_maintainer_edit', 'base', 'head', 'merge_base', 'due_date', 'created_at', 'updated_at', 'closed_at', 'pin_order', 'content_version')
    $Fields['pr view'] = @('id', 'url', 'number', 'user', 'title', 'body', 'labels', 'milestone', 'assignee', 'assignees', 'requested_reviewers', 'requested_reviewers_teams', 'state', 'draft', 'is_locked', 'comments', 'review_comments', 'additions', 'deletions', 'changed_files', 'html_url', 'diff_url', 'patch_url', 'mergeable', 'merged', 'merged_at', 'merge_commit_sha', 'merged_by', 'allow_maintainer_edit', 'base', 'head', 'merge_base', 'due_date', 'created_at', 'updated_at', 'closed_at', 'pin_order', 'content_version')
    $Fields['user list'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['user view'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['user create'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns', 'generated_password')
    $Fields['user edit'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['user delete'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['user rename'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['user import'] = @('line', 'username', 'action', 'changes', 'reason')
    $Fields['user key list'] = @('id', 'key', 'url', 'title', 'fingerprint', 'created_at', 'last_used_at', 'user', 'read_only', 'key_type')
    $Fields['user key add'] = @('id', 'key', 'url', 'title', 'fingerprint', 'created_at', 'last_used_at', 'user', 'read_only', 'key_type')
    $Fields['user badge list'] = @('ID', 'Slug', 'Description', 'ImageURL')
    $Fields['user badge add'] = @('ID', 'Slug', 'Description', 'ImageURL')
    $Fields['user badge remove'] = @('ID', 'Slug', 'Description', 'ImageURL')
    $Fields['user email list'] = @('email', 'verified', 'primary', 'user_id', 'username')
    $Fields['star add'] = @('id', 'owner', 'name', 'full_name', 'description', 'empty', 'private', 'fork', 'template', 'parent', 'mirror', 'size', 'language', 'languages_url', 'html_url', 'url', 'link', 'ssh_url', 'clone_url', 'original_url', 'website', 'stars_count', 'forks_count', 'watchers_count', 'branch_count', 'open_issues_count', 'open_pr_counter', 'release_counter', 'default_branch', 'default_target_branch', 'archived', 'created_at', 'updated_at', 'archived_at', 'permissions', 'has_code', 'has_issues', 'internal_tracker', 'external_tracker', 'has_wiki', 'external_wiki', 'has_pull_requests', 'has_projects', 'projects_mode', 'has_releases', 'has_packages', 'has_actions', 'ignore_whitespace_conflicts', 'allow_merge_commits', 'allow_rebase', 'allow_rebase_explicit', 'allow_squash_merge', 'allow_fast_forward_only_merge', 'allow_merge_update', 'allow_rebase_update', 'allow_manual_merge', 'autodetect_manual_merge', 'default_delete_branch_after_merge', 'default_merge_style', 'default_update_style', 'default_allow_maintainer_edit', 'avatar_url', 'internal', 'mirror_interval', 'object_format_name', 'mirror_updated', 'mirror_last_sync_at', 'repo_transfer', 'topics', 'licenses', 'wiki_branch', 'globally_editable_wiki')
    $Fields['star remove'] = @('id', 'owner', 'name', 'full_name', 'description', 'empty', 'private', 'fork', 'template', 'parent', 'mirror', 'size', 'language', 'languages_url', 'html_url', 'url', 'link', 'ssh_url', 'clone_url', 'original_url', 'website', 'stars_count', 'forks_count', 'watchers_count', 'branch_count', 'open_issues_count', 'open_pr_counter', 'release_counter', 'default_branch', 'default_target_branch', 'archived', 'created_at', 'updated_at', 'archived_at', 'permissions', 'has_code', 'has_issues', 'internal_tracker', 'external_tracker', 'has_wiki', 'external_wiki', 'has_pull_requests', 'has_projects', 'projects_mode', 'has_releases', 'has_packages', 'has_actions', 'ignore_whitespace_conflicts', 'allow_merge_commits', 'allow_rebase', 'allow_rebase_explicit', 'allow_squash_merge', 'allow_fast_forward_only_merge', 'allow_merge_update', 'allow_rebase_update', 'allow_manual_merge', 'autodetect_manual_merge', 'default_delete_branch_after_merge', 'default_merge_style', 'default_update_style', 'default_allow_maintainer_edit', 'avatar_url', 'internal', 'mirror_interval', 'object_format_name', 'mirror_updated', 'mirror_last_sync_at', 'repo_transfer', 'topics', 'licenses', 'wiki_branch', 'globally_editable_wiki')
    $Fields['star list'] = @('id', 'owner', 'name', 'full_name', 'description', 'empty', 'private', 'fork', 'template', 'parent', 'mirror', 'size', 'language', 'languages_url', 'html_url', 'url', 'link', 'ssh_url', 'clone_url', 'original_url', 'website', 'stars_count', 'forks_count', 'watchers_count', 'branch_count', 'open_issues_count', 'open_pr_counter', 'release_counter', 'default_branch', 'default_target_branch', 'archived', 'created_at', 'updated_at', 'archived_at', 'permissions', 'has_code', 'has_issues', 'internal_tracker', 'external_tracker', 'has_wiki', 'external_wiki', 'has_pull_requests', 'has_projects', 'projects_mode', 'has_releases', 'has_packages', 'has_actions', 'ignore_whitespace_conflicts', 'allow_merge_commits', 'allow_rebase', 'allow_rebase_explicit', 'allow_squash_merge', 'allow_fast_forward_only_merge', 'allow_merge_update', 'allow_rebase_update', 'allow_manual_merge', 'autodetect_manual_merge', 'default_delete_branch_after_merge', 'default_merge_style', 'default_update_style', 'default_allow_maintainer_edit', 'avatar_url', 'internal', 'mirror_interval', 'object_format_name', 'mirror_updated', 'mirror_last_sync_at', 'repo_transfer', 'topics', 'licenses', 'wiki_branch', 'globally_editable_wiki')
    $Fields['star check'] = @('id', 'owner', 'name', 'full_name', 'description', 'empty', 'private', 'fork', 'template', 'parent', 'mirror', 'size', 'language', 'languages_url', 'html_url', 'url', 'link', 'ssh_url', 'clone_url', 'original_url', 'website', 'stars_count', 'forks_count', 'watchers_count', 'branch_count', 'open_issues_count', 'open_pr_counter', 'release_counter', 'default_branch', 'default_target_branch', 'archived', 'created_at', 'updated_at', 'archived_at', 'permissions', 'has_code', 'has_issues', 'internal_tracker', 'external_tracker', 'has_wiki', 'external_wiki', 'has_pull_requests', 'has_projects', 'projects_mode', 'has_releases', 'has_packages', 'has_actions', 'ignore_whitespace_conflicts', 'allow_merge_commits', 'allow_rebase', 'allow_rebase_explicit', 'allow_squash_merge', 'allow_fast_forward_only_merge', 'allow_merge_update', 'allow_rebase_update', 'allow_manual_merge', 'autodetect_manual_merge', 'default_delete_branch_after_merge', 'default_merge_style', 'default_update_style', 'default_allow_maintainer_edit', 'avatar_url', 'internal', 'mirror_interval', 'object_format_name', 'mirror_updated', 'mirror_last_sync_at', 'repo_transfer', 'topics', 'licenses', 'wiki_branch', 'globally_editable_wiki')
    $Fields['follow add'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['follow remove'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['follow list'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['follow followers'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['follow check'] = @('id', 'login', 'username', 'login_name', 'source_id', 'full_name', 'email', 'avatar_url', 'html_url', 'language', 'is_admin', 'last_login', 'created', 'restricted', 'active', 'prohibit_login', 'location', 'website', 'description', 'visibility', 'followers_count', 'following_count', 'starred_repos_count', 'pronouns')
    $Fields['hook list'] = @('id', 'name', 'type', 'branch_filter', 'config', 'events', 'authorization_header', 'active', 'updated_at', 'created_at', 'url', 'content_type', 'metadata')
    $Fields['hook create'] = @('id', 'name', 'type', 'branch_filter', 'config', 'events', 'authorization_header', 'active', 'updated_at', 'created_at', 'url', 'content_type', 'metadata')
    $Fields['hook edit'] = @('id', 'name', 'type', 'branch_filter', 'config', 'events', 'authorization_header', 'active', 'updated_at', 'created_at', 'url', 'content_type', 'metadata')
    $Fields['sandbox'] = @('url', 'users')
    $Fields['schema'] = @('version', 'global_flags', 'exit_codes', 'environment', 'commands')
    $Fields['version'] = @('version')

    $Words = @($CommandAst.CommandElements | Select-Object -Skip 1 |
        Where-Object { $_.Extent.EndOffset -lt $CursorPosition } | ForEach-Object { $_.ToString() })
    $Path = ''
    $Flag = ''
    $Help = $false
    $Count = 0
    foreach ($Word in $Words) {
        if ($Flag) { $Flag = '' }
        elseif ($Word -match '^-.*=') { }
        elseif ($Word -match '^-.') {
            if ($Values.ContainsKey($Word) -or $Values.ContainsKey("$Path $Word")) { $Flag = $Word }
        }
        elseif ($Path -eq '' -and $Word -eq 'help') { $Help = $true }
        elseif ($Steps.ContainsKey("$Path $Word")) { $Path = $Steps["$Path $Word"] }
        else {
            if ($Usual.ContainsKey($Path)) { $Path = $Usual[$Path] }
            $Count++
        }
    }

    $Current = $WordToComplete
    $Before = ''
    if (-not $Flag -and $Current -match '^(--[^=]+)=(.*)$') {
        $Flag = $Matches[1]
        $Current = $Matches[2]
        $Before = "$Flag="
    }
    $AfterJson = $Words.Count -gt 0 -and $Words[-1] -eq '--json' -and $Current -notmatch '^-'
    if (($Flag -eq '--json' -or (-not $Flag -and $AfterJson)) -and $Fields.ContainsKey($Path)) {
        if ($Current -match '^(.*,)([^,]*)$') {
            $Before += $Matches[1]
            $Current = $Matches[2]
        }
        $Found = $Fields[$Path]
    }
    elseif ($Flag) {
        $Found = if ($Values.ContainsKey($Flag)) { $Values[$Flag] } else { $Values["$Path $Flag"] }
    }
    elseif ($Current -match '^-') { $Found = @($Anywhere) + @($Flags[$Path]) }
    elseif ($Verbs.ContainsKey($Path)) {
        $Found = if ($Count -eq 0) { @($Verbs[$Path]) } else { @() }
        if ($Help -and $Path -eq '') { $Found += @('exit-codes', 'environment', 'json') }
    }
    else { $Found = $Arguments["$Path $Count"] }

    foreach ($Item in @($Found)) {
        if (-not $Item) { continue }
        $Name, $Text = $Item -split "`t", 2
        if (-not $Name.StartsWith($Current)) { continue }
        if (-not $Text) { $Text = $Name }
        [System.Management.Automation.CompletionResult]::new("$Before$Name", $Name, 'ParameterValue', $Text)
    }
}
