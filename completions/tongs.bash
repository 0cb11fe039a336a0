# bash completion for tongs, made from its command table by: npm run generate
# Use it with: source <(tongs completion bash)

# Goes from a place (path) by a word to the next; fails when the word is an argument.
_tongs_enter() {
  case "$path $1" in
    ' help') help=1 ;;
    ' auth') path='auth' ;;
    ' profile') path='profile' ;;
    ' doctor') path='doctor' ;;
    ' pr') path='pr' ;;
    ' repo') path='repo' ;;
    ' user') path='user' ;;
    ' star') path='star' ;;
    ' follow') path='follow' ;;
    ' run') path='run' ;;
    ' workflow') path='workflow' ;;
    ' runner') path='runner' ;;
    ' artifact') path='artifact' ;;
    ' metrics') path='metrics' ;;
    ' hook') path='hook' ;;
    ' api') path='api' ;;
    ' sandbox') path='sandbox' ;;
    ' completion') path='completion' ;;
    ' schema') path='schema' ;;
    ' version') path='version' ;;
    'auth login') path='auth login' ;;
    'auth status') path='auth status' ;;
    'auth token') path='auth token' ;;
    'auth logout') path='auth logout' ;;
    'profile list' | 'profile ls') path='profile list' ;;
    'profile show') path='profile show' ;;
    'profile use') path='profile use' ;;
    'profile set') path='profile set' ;;
    'profile rename') path='profile rename' ;;
    'profile delete' | 'profile rm') path='profile delete' ;;
    'pr list' | 'pr ls') path='pr list' ;;
    'pr view') path='pr view' ;;
    'pr diff') path='pr diff' ;;
    'pr create') path='pr create' ;;
    'pr edit') path='pr edit' ;;
    'pr close') path='pr close' ;;
    'pr reopen') path='pr reopen' ;;
    'pr ready') path='pr ready' ;;
    'pr merge') path='pr merge' ;;
    'pr merged') path='pr merged' ;;
    'pr update') path='pr update' ;;
    'pr commits') path='pr commits' ;;
    'pr files') path='pr files' ;;
    'pr checkout') path='pr checkout' ;;
    'pr checks') path='pr checks' ;;
    'pr review') path='pr review' ;;
    'pr reviews') path='pr reviews' ;;
    'pr comment') path='pr comment' ;;
    'repo view') path='repo view' ;;
    'repo list' | 'repo ls') path='repo list' ;;
    'repo create') path='repo create' ;;
    'repo delete' | 'repo rm') path='repo delete' ;;
    'repo clone') path='repo clone' ;;
    'user list' | 'user ls') path='user list' ;;
    'user view') path='user view' ;;
    'user create') path='user create' ;;
    'user edit') path='user edit' ;;
    'user delete' | 'user rm') path='user delete' ;;
    'user rename') path='user rename' ;;
    'user import') path='user import' ;;
    'user key') path='user key' ;;
    'user badge') path='user badge' ;;
    'user email') path='user email' ;;
    'user key list' | 'user key ls') path='user key list' ;;
    'user key add') path='user key add' ;;
    'user key delete' | 'user key rm') path='user key delete' ;;
    'user badge list' | 'user badge ls') path='user badge list' ;;
    'user badge add') path='user badge add' ;;
    'user badge remove' | 'user badge rm') path='user badge remove' ;;
    'user email list' | 'user email ls') path='user email list' ;;
    'star add') path='star add' ;;
    'star remove' | 'star rm') path='star remove' ;;
    'star list' | 'star ls') path='star list' ;;
    'star check') path='star check' ;;
    'follow add') path='follow add' ;;
    'follow remove' | 'follow rm') path='follow remove' ;;
    'follow list' | 'follow ls') path='follow list' ;;
    'follow followers') path='follow followers' ;;
    'follow check') path='follow check' ;;
    'run list' | 'run ls') path='run list' ;;
    'run view') path='run view' ;;
    'run jobs') path='run jobs' ;;
    'run logs') path='run logs' ;;
    'run watch') path='run watch' ;;
    'run why') path='run why' ;;
    'run rerun') path='run rerun' ;;
    'run cancel') path='run cancel' ;;
    'run approve') path='run approve' ;;
    'run delete' | 'run rm') path='run delete' ;;
    'workflow list' | 'workflow ls') path='workflow list' ;;
    'workflow view') path='workflow view' ;;
    'workflow enable') path='workflow enable' ;;
    'workflow disable') path='workflow disable' ;;
    'workflow run') path='workflow run' ;;
    'runner list' | 'runner ls') path='runner list' ;;
    'runner view') path='runner view' ;;
    'runner delete' | 'runner rm') path='runner delete' ;;
    'runner enable') path='runner enable' ;;
    'runner disable') path='runner disable' ;;
    'runner token') path='runner token' ;;
    'artifact list' | 'artifact ls') path='artifact list' ;;
    'artifact view') path='artifact view' ;;
    'artifact download') path='artifact download' ;;
    'artifact delete' | 'artifact rm') path='artifact delete' ;;
    'metrics decode') path='metrics decode' ;;
    'metrics encode') path='metrics encode' ;;
    'metrics stat') path='metrics stat' ;;
    'metrics plot') path='metrics plot' ;;
    'metrics serve') path='metrics serve' ;;
    'metrics push') path='metrics push' ;;
    'hook list' | 'hook ls') path='hook list' ;;
    'hook create') path='hook create' ;;
    'hook edit') path='hook edit' ;;
    'hook delete' | 'hook rm') path='hook delete' ;;
    'hook test') path='hook test' ;;
    ' login') path='auth login' ;;
    ' logout') path='auth logout' ;;
    'pr update-branch') path='pr update' ;;
    ' unstar') path='star remove' ;;
    ' unfollow') path='follow remove' ;;
    'star '*) path='star add'; return 1 ;;
    'follow '*) path='follow add'; return 1 ;;
    *) return 1 ;;
  esac
}

# Finds what the value of a flag can be; fails when the flag takes none.
_tongs_value() {
  case "$1" in
    -R | --repo | --profile | --host | --jq | --limit | --timeout) : ;;
    --color) words='auto always never' ;;
    *)
      case "$path $1" in
        'auth login --token-file' | 'pr create -F' | 'pr create --body-file' | 'pr edit -F' | 'pr edit --body-file' | 'pr merge -F' | 'pr merge --message-file' | 'pr review -F' | 'pr review --body-file' | 'pr comment -F' | 'pr comment --body-file' | 'user create --password-file' | 'user edit --password-file' | 'user import --generate-passwords' | 'user import --journal' | 'user key add --key-file' | 'workflow run --inputs-file' | 'metrics decode -o' | 'metrics decode --output' | 'metrics encode -o' | 'metrics encode --output' | 'metrics encode --types' | 'metrics plot --svg' | 'metrics serve --to' | 'hook create --secret-file' | 'hook create --authorization-header-file' | 'hook edit --secret-file' | 'hook edit --authorization-header-file' | 'api --input') paths=file ;;
        'pr list -s' | 'pr list --state') words='open closed merged all' ;;
        'pr list -B' | 'pr list --base' | 'pr list -H' | 'pr list --head' | 'pr list -A' | 'pr list --author' | 'pr list -a' | 'pr list --assignee' | 'pr list -l' | 'pr list --label' | 'pr list --milestone' | 'pr list -S' | 'pr list --search' | 'pr view -B' | 'pr view --base' | 'pr view -H' | 'pr view --head' | 'pr create -t' | 'pr create --title' | 'pr create -b' | 'pr create --body' | 'pr create -B' | 'pr create --base' | 'pr create -H' | 'pr create --head' | 'pr create -l' | 'pr create --label' | 'pr create -a' | 'pr create --assignee' | 'pr create -r' | 'pr create --reviewer' | 'pr create --team-reviewer' | 'pr create -m' | 'pr create --milestone' | 'pr create --due' | 'pr edit -t' | 'pr edit --title' | 'pr edit -b' | 'pr edit --body' | 'pr edit -B' | 'pr edit --base' | 'pr edit --add-label' | 'pr edit --remove-label' | 'pr edit --add-assignee' | 'pr edit --remove-assignee' | 'pr edit --add-reviewer' | 'pr edit --remove-reviewer' | 'pr edit -m' | 'pr edit --milestone' | 'pr edit --due' | 'pr close -c' | 'pr close --comment' | 'pr reopen -c' | 'pr reopen --comment' | 'pr merge -t' | 'pr merge --title' | 'pr merge --message' | 'pr merge --merge-commit' | 'pr merge --match-head' | 'pr checkout -b' | 'pr checkout --branch' | 'pr checks -i' | 'pr checks --interval' | 'pr review -b' | 'pr review --body' | 'pr comment -b' | 'pr comment --body' | 'repo create -d' | 'repo create --description' | 'repo create --org' | 'repo create --default-branch' | 'repo create --gitignore' | 'repo create --license' | 'user list --query' | 'user list --source-id' | 'user list --login-name' | 'user create --email' | 'user create --full-name' | 'user create --source-id' | 'user create --login-name' | 'user create --created-at' | 'user edit --email' | 'user edit --full-name' | 'user edit --website' | 'user edit --location' | 'user edit --description' | 'user edit --max-repo-creation' | 'user edit --source-id' | 'user edit --login-name' | 'user import --jobs' | 'user key add --title' | 'user email list --query' | 'star list --user' | 'follow list --user' | 'follow followers --user' | 'follow check --by' | 'run list -w' | 'run list --workflow' | 'run list -b' | 'run list --branch' | 'run list -e' | 'run list --event' | 'run list -u' | 'run list --actor' | 'run list -c' | 'run list --head-sha' | 'run list --org' | 'run view -j' | 'run view --job' | 'run view -a' | 'run view --attempt' | 'run jobs -a' | 'run jobs --attempt' | 'run logs -j' | 'run logs --job' | 'run logs -a' | 'run logs --attempt' | 'run logs -n' | 'run logs --tail' | 'run logs --grep' | 'run watch -i' | 'run watch --interval' | 'run watch --timeout' | 'run rerun -j' | 'run rerun --job' | 'run delete --older-than' | 'run delete -w' | 'run delete --workflow' | 'workflow run -r' | 'workflow run --ref' | 'workflow run -f' | 'workflow run --field' | 'workflow run --timeout' | 'runner list --org' | 'runner view --org' | 'runner delete --org' | 'runner enable --org' | 'runner disable --org' | 'runner token --org' | 'artifact list --run' | 'artifact list -n' | 'artifact list --name' | 'artifact download --run' | 'artifact download -n' | 'artifact download --name' | 'artifact download -p' | 'artifact download --pattern' | 'artifact download --jobs' | 'artifact download --max-size' | 'artifact download --max-ratio' | 'metrics decode --host' | 'metrics decode --plugin' | 'metrics decode --plugin-instance' | 'metrics decode --type' | 'metrics decode --type-instance' | 'metrics decode --since' | 'metrics decode --until' | 'metrics decode --count' | 'metrics stat --host' | 'metrics stat --plugin' | 'metrics stat --plugin-instance' | 'metrics stat --type' | 'metrics stat --type-instance' | 'metrics stat --since' | 'metrics stat --until' | 'metrics plot --host' | 'metrics plot --plugin' | 'metrics plot --plugin-instance' | 'metrics plot --type' | 'metrics plot --type-instance' | 'metrics plot --since' | 'metrics plot --until' | 'metrics plot --series' | 'metrics plot --width' | 'metrics plot --height' | 'metrics serve --listen' | 'metrics serve --count' | 'metrics push --host' | 'metrics push --plugin' | 'metrics push --plugin-instance' | 'metrics push --type' | 'metrics push --type-instance' | 'metrics push --since' | 'metrics push --until' | 'hook list --org' | 'hook create --org' | 'hook create --url' | 'hook create --content-type' | 'hook create --event' | 'hook create --branch-filter' | 'hook create --config' | 'hook create --name' | 'hook edit --org' | 'hook edit --url' | 'hook edit --content-type' | 'hook edit --event' | 'hook edit --branch-filter' | 'hook edit --config' | 'hook edit --name' | 'hook delete --org' | 'hook test --ref' | 'api -X' | 'api --method' | 'api -f' | 'api --raw-field' | 'api -F' | 'api --field' | 'api -H' | 'api --header' | 'sandbox --port') : ;;
        'pr list --sort') words='newest oldest updated least-updated comments priority' ;;
        'pr merge --style') words='merge rebase rebase-merge squash fast-forward-only manually-merged' ;;
        'pr update --style') words='merge rebase' ;;
        'pr files --ignore-whitespace') words='all change eol' ;;
        'pr checkout --worktree' | 'workflow run --collect' | 'artifact download -D' | 'artifact download --dir' | 'sandbox --dir') paths=folder ;;
        'user list --visibility' | 'user create --visibility' | 'user edit --visibility') words='public limited private' ;;
        'user list --sort') words='name created updated id' ;;
        'user list --order') words='asc desc' ;;
        'user import --format') words='csv jsonl' ;;
        'user import --on-existing') words='skip update fail' ;;
        'run list -s' | 'run list --status') words='queued waiting pending requested action_required in_progress completed success failure cancelled timed_out skipped neutral' ;;
        'run delete -s' | 'run delete --status') words='success failure cancelled skipped completed' ;;
        'metrics decode --framing' | 'metrics stat --framing' | 'metrics plot --framing' | 'metrics push --framing') words='auto delimited raw grpc' ;;
        'metrics decode --format' | 'metrics serve --format') words='ndjson json csv putval text' ;;
        'metrics encode --framing') words='delimited raw grpc' ;;
        'metrics stat --by') words='host plugin plugin_instance type type_instance ds_name kind' ;;
        'hook list --type') words='system default all' ;;
        'hook create --type') words='gitea gogs slack discord dingtalk telegram msteams feishu matrix wechatwork packagist forgejo sourcehut_builds' ;;
        *) return 1 ;;
      esac
      ;;
  esac
}

# Finds what an argument can be, by its position.
_tongs_argument() {
  case "$path $1" in
    'profile set '1) words='host user repo ca insecure_http proxy rules' ;;
    'repo clone '1) paths=folder ;;
    'user import '0) paths=file ;;
    'metrics decode '*) paths=file ;;
    'metrics encode '*) paths=file ;;
    'metrics stat '*) paths=file ;;
    'metrics plot '*) paths=file ;;
    'metrics push '*) paths=file ;;
    'completion '0) words='bash zsh fish powershell' ;;
    *) : ;;
  esac
}

_tongs_verbs() {
  case "$path" in
    '') words='auth profile doctor pr repo user star follow run workflow runner artifact metrics hook api sandbox completion schema version' ;;
    'auth') words='login status token logout' ;;
    'profile') words='list show use set rename delete' ;;
    'pr') words='list view diff create edit close reopen ready merge merged update commits files checkout checks review reviews comment' ;;
    'repo') words='view list create delete clone' ;;
    'user') words='list view create edit delete rename import key badge email' ;;
    'user key') words='list add delete' ;;
    'user badge') words='list add remove' ;;
    'user email') words='list' ;;
    'star') words='add remove list check' ;;
    'follow') words='add remove list followers check' ;;
    'run') words='list view jobs logs watch why rerun cancel approve delete' ;;
    'workflow') words='list view enable disable run' ;;
    'runner') words='list view delete enable disable token' ;;
    'artifact') words='list view download delete' ;;
    'metrics') words='decode encode stat plot serve push' ;;
    'hook') words='list create edit delete test' ;;
    *) return 1 ;;
  esac
}

_tongs_flags() {
  words='-R --repo --profile --host --json --jsonl --csv --jq --limit --all --dry-run -y --yes --no-input -q --quiet --debug --color --timeout -h --help --version'
  case "$path" in
    'auth login') words="$words "'--token-stdin --token-file --insecure-http' ;;
    'pr list') words="$words "'-s --state -B --base -H --head -A --author -a --assignee -l --label --milestone --draft --no-draft -S --search --sort' ;;
    'pr view') words="$words "'-c --comments -w --web -B --base -H --head' ;;
    'pr diff') words="$words "'--patch --name-only --stat' ;;
    'pr create') words="$words "'-t --title -b --body -F --body-file -f --fill -B --base -H --head --push -d --draft -l --label -a --assignee -r --reviewer --team-reviewer -m --milestone --due --maintainer-edit --no-maintainer-edit' ;;
    'pr edit') words="$words "'-t --title -b --body -F --body-file -B --base --add-label --remove-label --add-assignee --remove-assignee --add-reviewer --remove-reviewer -m --milestone --no-milestone --due --no-due --maintainer-edit --no-maintainer-edit' ;;
    'pr close' | 'pr reopen') words="$words "'-c --comment' ;;
    'pr ready') words="$words "'--undo' ;;
    'pr merge') words="$words "'--style -t --title --message -F --message-file --merge-commit --match-head --auto --cancel-auto --force -d --delete-branch --no-delete-branch' ;;
    'pr update') words="$words "'--style' ;;
    'pr files') words="$words "'--ignore-whitespace' ;;
    'pr checkout') words="$words "'-b --branch --detach --worktree -f --force' ;;
    'pr checks') words="$words "'-w --watch --required --fail-fast -i --interval' ;;
    'pr review') words="$words "'-a --approve -r --request-changes -c --comment -b --body -F --body-file' ;;
    'pr comment') words="$words "'-b --body -F --body-file' ;;
    'repo create') words="$words "'--private -d --description --init --org --default-branch --gitignore --license' ;;
    'user list') words="$words "'--query --admin --no-admin --active --inactive --restricted --no-restricted --2fa --no-2fa --prohibit-login --no-prohibit-login --visibility --source-id --login-name --sort --order' ;;
    'user create') words="$words "'--email --full-name --password-stdin --password-file --generate-password --no-must-change-password --admin --restricted --visibility --source-id --login-name --notify --created-at' ;;
    'user edit') words="$words "'--email --full-name --password-stdin --password-file --must-change-password --no-must-change-password --admin --no-admin --active --no-active --restricted --no-restricted --prohibit-login --no-prohibit-login --visibility --website --location --description --max-repo-creation --allow-git-hook --no-allow-git-hook --allow-import-local --no-allow-import-local --allow-create-organization --no-allow-create-organization --source-id --login-name' ;;
    'user delete') words="$words "'--purge' ;;
    'user import') words="$words "'--format --plan --on-existing --generate-passwords --jobs --journal --resume' ;;
    'user key add') words="$words "'--title --key-file --read-only' ;;
    'user email list') words="$words "'--query' ;;
    'star list' | 'follow list' | 'follow followers') words="$words "'--user' ;;
    'follow check') words="$words "'--by' ;;
    'run list') words="$words "'-w --workflow -b --branch -e --event -s --status -u --actor -c --head-sha --org --user --admin' ;;
    'run view') words="$words "'-j --job -a --attempt -w --web' ;;
    'run jobs') words="$words "'-a --attempt' ;;
    'run logs') words="$words "'-j --job -a --attempt --failed -n --tail --grep --no-timestamps' ;;
    'run watch') words="$words "'-i --interval --fail-fast --logs --timeout' ;;
    'run rerun') words="$words "'--failed -j --job' ;;
    'run delete') words="$words "'--older-than -w --workflow -s --status' ;;
    'workflow run') words="$words "'-r --ref -f --field --inputs-file -w --watch --timeout --collect' ;;
    'runner list' | 'runner view' | 'runner delete' | 'runner enable' | 'runner disable' | 'runner token' | 'hook delete') words="$words "'--org --user --admin' ;;
    'artifact list') words="$words "'--run -n --name' ;;
    'artifact download') words="$words "'--run -n --name -p --pattern -D --dir --zip --jobs --overwrite --skip-existing --max-size --max-ratio' ;;
    'metrics decode') words="$words "'--framing --lenient --skip-errors --host --plugin --plugin-instance --type --type-instance --since --until --format --count -o --output --utc' ;;
    'metrics encode') words="$words "'--framing -o --output --types' ;;
    'metrics stat') words="$words "'--framing --lenient --skip-errors --host --plugin --plugin-instance --type --type-instance --since --until --by' ;;
    'metrics plot') words="$words "'--framing --lenient --skip-errors --host --plugin --plugin-instance --type --type-instance --since --until --series --width --height --svg --utc' ;;
    'metrics serve') words="$words "'--listen --to --format --count --utc' ;;
    'metrics push') words="$words "'--framing --skip-errors --host --plugin --plugin-instance --type --type-instance --since --until' ;;
    'hook list') words="$words "'--org --user --admin --type' ;;
    'hook create') words="$words "'--org --user --admin --type --system --url --content-type --event --branch-filter --secret-stdin --secret-file --authorization-header-file --config --active --no-active --name' ;;
    'hook edit') words="$words "'--org --user --admin --url --content-type --event --branch-filter --secret-stdin --secret-file --authorization-header-file --config --active --no-active --name' ;;
    'hook test') words="$words "'--ref' ;;
    'api') words="$words "'-X --method -f --raw-field -F --field -H --header --input --paginate -i --include' ;;
    'sandbox') words="$words "'--port --dir --empty' ;;
  esac
}

_tongs_fields() {
  case "$path" in
    'auth login' | 'auth logout' | 'profile list' | 'profile show' | 'profile use' | 'profile set' | 'profile rename' | 'profile delete') words='name default host user since scopes repo ca insecure_http proxy rules' ;;
    'auth status') words='profile default host user accepted because since scopes token_in problem' ;;
    'auth token') words='profile host user token' ;;
    'doctor') words='ok version config_dir profile host because server offers user scopes clock_skew checks' ;;
    'pr list' | 'pr create' | 'pr edit' | 'pr close' | 'pr reopen' | 'pr ready' | 'pr merge' | 'pr merged' | 'pr update' | 'pr checkout') words='id url number user title body labels milestone assignee assignees requested_reviewers requested_reviewers_teams state draft is_locked comments review_comments additions deletions changed_files html_url diff_url patch_url mergeable merged merged_at merge_commit_sha merged_by allow_maintainer_edit base head merge_base due_date created_at updated_at closed_at pin_order content_version' ;;
    'pr view') words='id url number user title body labels milestone assignee assignees requested_reviewers requested_reviewers_teams state draft is_locked comments review_comments additions deletions changed_files html_url diff_url patch_url mergeable merged merged_at merge_commit_sha merged_by allow_maintainer_edit base head merge_base due_date created_at updated_at closed_at pin_order content_version comment_list review_list' ;;
    'pr diff' | 'pr files') words='filename previous_filename status additions deletions changes html_url contents_url raw_url' ;;
    'pr commits') words='url sha created html_url commit author committer parents files stats' ;;
    'pr checks') words='id status target_url description url context creator created_at updated_at' ;;
    'pr review' | 'pr reviews') words='id user team state body commit_id stale official dismissed comments_count submitted_at updated_at html_url pull_request_url' ;;
    'pr comment') words='id html_url pull_request_url issue_url user original_author original_author_id body assets created_at updated_at' ;;
    'repo view' | 'repo list' | 'repo create' | 'repo delete' | 'repo clone' | 'star add' | 'star remove' | 'star list' | 'star check') words='id owner name full_name description empty private fork template parent mirror size language languages_url html_url url link ssh_url clone_url original_url website stars_count forks_count watchers_count branch_count open_issues_count open_pr_counter release_counter default_branch default_target_branch archived created_at updated_at archived_at permissions has_code has_issues internal_tracker external_tracker has_wiki external_wiki has_pull_requests has_projects projects_mode has_releases has_packages has_actions ignore_whitespace_conflicts allow_merge_commits allow_rebase allow_rebase_explicit allow_squash_merge allow_fast_forward_only_merge allow_merge_update allow_rebase_update allow_manual_merge autodetect_manual_merge default_delete_branch_after_merge default_merge_style default_update_style default_allow_maintainer_edit avatar_url internal mirror_interval object_format_name mirror_updated mirror_last_sync_at repo_transfer topics licenses wiki_branch globally_editable_wiki' ;;
    'user list' | 'user view' | 'user edit' | 'user delete' | 'user rename' | 'follow add' | 'follow remove' | 'follow list' | 'follow followers' | 'follow check') words='id login username login_name source_id full_name email avatar_url html_url language is_admin last_login created restricted active prohibit_login location website description visibility followers_count following_count starred_repos_count pronouns' ;;
    'user create') words='id login username login_name source_id full_name email avatar_url html_url language is_admin last_login created restricted active prohibit_login location website description visibility followers_count following_count starred_repos_count pronouns generated_password' ;;
    'user import') words='line username action changes reason' ;;
    'user key list' | 'user key add') words='id key url title fingerprint created_at last_used_at user read_only key_type' ;;
    'user badge list' | 'user badge add' | 'user badge remove') words='ID Slug Description ImageURL' ;;
    'user email list') words='email verified primary user_id username' ;;
    'run list') words='id url previous_attempt_url html_url display_title path event run_attempt run_number repository_id head_sha head_branch status conclusion actor trigger_actor repository head_repository pull_requests started_at completed_at name workflow_id created_at updated_at run_started_at' ;;
    'run view') words='id url previous_attempt_url html_url display_title path event run_attempt run_number repository_id head_sha head_branch status conclusion actor trigger_actor repository head_repository pull_requests started_at completed_at job_list task_list run_id run_url name labels runner_id runner_name steps created_at' ;;
    'run jobs') words='id url html_url run_id run_url name labels run_attempt head_sha head_branch status conclusion runner_id runner_name steps created_at started_at completed_at' ;;
    'run logs') words='job_id job step time text' ;;
    'run watch' | 'run rerun' | 'run cancel' | 'run approve' | 'run delete' | 'workflow run') words='id url previous_attempt_url html_url display_title path event run_attempt run_number repository_id head_sha head_branch status conclusion actor trigger_actor repository head_repository pull_requests started_at completed_at' ;;
    'run why') words='run failures waiting last_success' ;;
    'workflow list' | 'workflow view' | 'workflow enable' | 'workflow disable') words='id name path state created_at updated_at url html_url badge_url deleted_at' ;;
    'runner list' | 'runner view' | 'runner enable' | 'runner disable') words='id name status busy disabled ephemeral labels' ;;
    'runner token') words='token' ;;
    'artifact list' | 'artifact view') words='id name size_in_bytes url archive_download_url expired workflow_run created_at updated_at expires_at' ;;
    'artifact download') words='id name size_in_bytes url archive_download_url expired workflow_run created_at updated_at expires_at path' ;;
    'metrics decode') words='values time interval identifier ds_names meta_data invalid_utf8' ;;
    'metrics stat') words='host plugin plugin_instance type type_instance ds_name kind count nan first_time last_time min max mean last rate resets wraps' ;;
    'metrics push') words='server sent' ;;
    'hook list' | 'hook create' | 'hook edit') words='id name type branch_filter config events authorization_header active updated_at created_at url content_type metadata' ;;
    'sandbox') words='url users' ;;
    'schema') words='version global_flags exit_codes environment commands' ;;
    'version') words='version' ;;
    *) return 1 ;;
  esac
}

_tongs() {
  local cur="${COMP_WORDS[COMP_CWORD]}" path='' flag='' ended='' help='' words='' paths='' count=0 i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    if [[ -n $flag ]]; then
      [[ $word == '=' ]] || flag=''
    elif [[ -z $ended && $word == '--' ]]; then
      ended=1
    elif [[ -z $ended && $word == '=' ]]; then
      flag='='
    elif [[ -z $ended && $word == -?* ]]; then
      _tongs_value "$word" && flag="$word"
    else
      _tongs_enter "$word" || ((count++))
    fi
  done
  words='' paths=''

  # bash splits --flag=value at the =.
  local previous="${COMP_WORDS[COMP_CWORD - 1]}" before='' IFS=$' \t\n'
  if [[ $flag == '=' ]]; then flag="${COMP_WORDS[COMP_CWORD - 2]}"; fi
  if [[ -z $flag && $cur == '=' ]]; then flag="$previous"; fi
  if [[ $cur == '=' ]]; then cur=''; fi

  if [[ $flag == '--json' || (-z $flag && $previous == '--json' && $cur != -*) ]] && _tongs_fields; then
    if [[ $cur == *,* ]]; then before="${cur%,*},"; fi
    COMPREPLY=($(compgen -P "$before" -W "$words" -- "${cur##*,}"))
    compopt -o nospace 2>/dev/null
    return
  elif [[ -n $flag ]]; then
    _tongs_value "$flag"
  elif [[ -z $ended && $cur == -* ]]; then
    _tongs_flags
  elif _tongs_verbs; then
    if [[ -n $help && -z $path ]]; then words="$words "'exit-codes environment json'; fi
    if ((count > 0)); then words=''; fi
  else
    _tongs_argument "$count"
  fi

  if [[ -z $paths ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  IFS=$'\n'
  if [[ $paths == folder ]]; then COMPREPLY=($(compgen -d -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi
  compopt -o filenames 2>/dev/null
}

complete -F _tongs tongs
