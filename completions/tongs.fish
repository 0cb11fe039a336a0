# fish completion for tongs, made from its command table by: npm run generate
# Put it into ~/.config/fish/completions/, or: tongs completion fish | source

# From a place by a word to the next; fails when the word is an argument.
function __tongs_enter
    switch "$argv[1] $argv[2]"
        case ' auth'
            echo 'auth'
        case ' profile'
            echo 'profile'
        case ' doctor'
            echo 'doctor'
        case ' pr'
            echo 'pr'
        case ' repo'
            echo 'repo'
        case ' user'
            echo 'user'
        case ' star'
            echo 'star'
        case ' follow'
            echo 'follow'
        case ' run'
            echo 'run'
        case ' workflow'
            echo 'workflow'
        case ' runner'
            echo 'runner'
        case ' artifact'
            echo 'artifact'
        case ' metrics'
            echo 'metrics'
        case ' hook'
            echo 'hook'
        case ' api'
            echo 'api'
        case ' sandbox'
            echo 'sandbox'
        case ' completion'
            echo 'completion'
        case ' schema'
            echo 'schema'
        case ' version'
            echo 'version'
        case 'auth login'
            echo 'auth login'
        case 'auth status'
            echo 'auth status'
        case 'auth token'
            echo 'auth token'
        case 'auth logout'
            echo 'auth logout'
        case 'profile list' 'profile ls'
            echo 'profile list'
        case 'profile show'
            echo 'profile show'
        case 'profile use'
            echo 'profile use'
        case 'profile set'
            echo 'profile set'
        case 'profile rename'
            echo 'profile rename'
        case 'profile delete' 'profile rm'
            echo 'profile delete'
        case 'pr list' 'pr ls'
            echo 'pr list'
        case 'pr view'
            echo 'pr view'
        case 'pr diff'
            echo 'pr diff'
        case 'pr create'
            echo 'pr create'
        case 'pr edit'
            echo 'pr edit'
        case 'pr close'
            echo 'pr close'
        case 'pr reopen'
            echo 'pr reopen'
        case 'pr ready'
            echo 'pr ready'
        case 'pr merge'
            echo 'pr merge'
        case 'pr merged'
            echo 'pr merged'
        case 'pr update'
            echo 'pr update'
        case 'pr commits'
            echo 'pr commits'
        case 'pr files'
            echo 'pr files'
        case 'pr checkout'
            echo 'pr checkout'
        case 'pr checks'
            echo 'pr checks'
        case 'pr review'
            echo 'pr review'
        case 'pr reviews'
            echo 'pr reviews'
        case 'pr comment'
            echo 'pr comment'
        case 'repo view'
            echo 'repo view'
        case 'repo list' 'repo ls'
            echo 'repo list'
        case 'repo create'
            echo 'repo create'
        case 'repo delete' 'repo rm'
            echo 'repo delete'
        case 'repo clone'
            echo 'repo clone'
        case 'user list' 'user ls'
            echo 'user list'
        case 'user view'
            echo 'user view'
        case 'user create'
            echo 'user create'
        case 'user edit'
            echo 'user edit'
        case 'user delete' 'user rm'
            echo 'user delete'
        case 'user rename'
            echo 'user rename'
        case 'user import'
            echo 'user import'
        case 'user key'
            echo 'user key'
        case 'user badge'
            echo 'user badge'
        case 'user email'
            echo 'user email'
        case 'user key list' 'user key ls'
            echo 'user key list'
        case 'user key add'
            echo 'user key add'
        case 'user key delete' 'user key rm'
            echo 'user key delete'
        case 'user badge list' 'user badge ls'
            echo 'user badge list'
        case 'user badge add'
            echo 'user badge add'
        case 'user badge remove' 'user badge rm'
            echo 'user badge remove'
        case 'user email list' 'user email ls'
            echo 'user email list'
        case 'star add'
            echo 'star add'
        case 'star remove' 'star rm'
            echo 'star remove'
        case 'star list' 'star ls'
            echo 'star list'
        case 'star check'
            echo 'star check'
        case 'follow add'
            echo 'follow add'
        case 'follow remove' 'follow rm'
            echo 'follow remove'
        case 'follow list' 'follow ls'
            echo 'follow list'
        case 'follow followers'
            echo 'follow followers'
        case 'follow check'
            echo 'follow check'
        case 'run list' 'run ls'
            echo 'run list'
        case 'run view'
            echo 'run view'
        case 'run jobs'
            echo 'run jobs'
        case 'run logs'
            echo 'run logs'
        case 'run watch'
            echo 'run watch'
        case 'run why'
            echo 'run why'
        case 'run rerun'
            echo 'run rerun'
        case 'run cancel'
            echo 'run cancel'
        case 'run approve'
            echo 'run approve'
        case 'run delete' 'run rm'
            echo 'run delete'
        case 'workflow list' 'workflow ls'
            echo 'workflow list'
        case 'workflow view'
            echo 'workflow view'
        case 'workflow enable'
            echo 'workflow enable'
        case 'workflow disable'
            echo 'workflow disable'
        case 'workflow run'
            echo 'workflow run'
        case 'runner list' 'runner ls'
            echo 'runner list'
        case 'runner view'
            echo 'runner view'
        case 'runner delete' 'runner rm'
            echo 'runner delete'
        case 'runner enable'
            echo 'runner enable'
        case 'runner disable'
            echo 'runner disable'
        case 'runner token'
            echo 'runner token'
        case 'artifact list' 'artifact ls'
            echo 'artifact list'
        case 'artifact view'
            echo 'artifact view'
        case 'artifact download'
            echo 'artifact download'
        case 'artifact delete' 'artifact rm'
            echo 'artifact delete'
        case 'metrics decode'
            echo 'metrics decode'
        case 'metrics encode'
            echo 'metrics encode'
        case 'metrics stat'
            echo 'metrics stat'
        case 'metrics plot'
            echo 'metrics plot'
        case 'metrics serve'
            echo 'metrics serve'
        case 'metrics push'
            echo 'metrics push'
        case 'hook list' 'hook ls'
            echo 'hook list'
        case 'hook create'
            echo 'hook create'
        case 'hook edit'
            echo 'hook edit'
        case 'hook delete' 'hook rm'
            echo 'hook delete'
        case 'hook test'
            echo 'hook test'
        case ' login'
            echo 'auth login'
        case ' logout'
            echo 'auth logout'
        case 'pr update-branch'
            echo 'pr update'
        case ' unstar'
            echo 'star remove'
        case ' unfollow'
            echo 'follow remove'
        case 'star *'
            echo 'star add'
            return 1
        case 'follow *'
            echo 'follow add'
            return 1
        case '*'
            echo $argv[1]
            return 1
    end
end

# What the value of a flag can be; fails when the flag takes none.
function __tongs_value
    switch "$argv[2]"
        case -R --repo --profile --host --jq --limit --timeout
            true
        case --color
            printf '%s\n' 'auto' 'always' 'never'
        case '*'
            switch "$argv[1] $argv[2]"
                case 'auth login --token-file' 'pr create -F' 'pr create --body-file' 'pr edit -F' 'pr edit --body-file' 'pr merge -F' 'pr merge --message-file' 'pr review -F' 'pr review --body-file' 'pr comment -F' 'pr comment --body-file' 'user create --password-file' 'user edit --password-file' 'user import --generate-passwords' 'user import --journal' 'user key add --key-file' 'workflow run --inputs-file' 'metrics decode -o' 'metrics decode --output' 'metrics encode -o' 'metrics encode --output' 'metrics encode --types' 'metrics plot --svg' 'metrics serve --to' 'hook create --secret-file' 'hook create --authorization-header-file' 'hook edit --secret-file' 'hook edit --authorization-header-file' 'api --input'
                    __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
                case 'pr list -s' 'pr list --state'
                    printf '%s\n' 'open' 'closed' 'merged' 'all'
                case 'pr list -B' 'pr list --base' 'pr list -H' 'pr list --head' 'pr list -A' 'pr list --author' 'pr list -a' 'pr list --assignee' 'pr list -l' 'pr list --label' 'pr list --milestone' 'pr list -S' 'pr list --search' 'pr view -B' 'pr view --base' 'pr view -H' 'pr view --head' 'pr create -t' 'pr create --title' 'pr create -b' 'pr create --body' 'pr create -B' 'pr create --base' 'pr create -H' 'pr create --head' 'pr create -l' 'pr create --label' 'pr create -a' 'pr create --assignee' 'pr create -r' 'pr create --reviewer' 'pr create --team-reviewer' 'pr create -m' 'pr create --milestone' 'pr create --due' 'pr edit -t' 'pr edit --title' 'pr edit -b' 'pr edit --body' 'pr edit -B' 'pr edit --base' 'pr edit --add-label' 'pr edit --remove-label' 'pr edit --add-assignee' 'pr edit --remove-assignee' 'pr edit --add-reviewer' 'pr edit --remove-reviewer' 'pr edit -m' 'pr edit --milestone' 'pr edit --due' 'pr close -c' 'pr close --comment' 'pr reopen -c' 'pr reopen --comment' 'pr merge -t' 'pr merge --title' 'pr merge --message' 'pr merge --merge-commit' 'pr merge --match-head' 'pr checkout -b' 'pr checkout --branch' 'pr checks -i' 'pr checks --interval' 'pr review -b' 'pr review --body' 'pr comment -b' 'pr comment --body' 'repo create -d' 'repo create --description' 'repo create --org' 'repo create --default-branch' 'repo create --gitignore' 'repo create --license' 'user list --query' 'user list --source-id' 'user list --login-name' 'user create --email' 'user create --full-name' 'user create --source-id' 'user create --login-name' 'user create --created-at' 'user edit --email' 'user edit --full-name' 'user edit --website' 'user edit --location' 'user edit --description' 'user edit --max-repo-creation' 'user edit --source-id' 'user edit --login-name' 'user import --jobs' 'user key add --title' 'user email list --query' 'star list --user' 'follow list --user' 'follow followers --user' 'follow check --by' 'run list -w' 'run list --workflow' 'run list -b' 'run list --branch' 'run list -e' 'run list --event' 'run list -u' 'run list --actor' 'run list -c' 'run list --head-sha' 'run list --org' 'run view -j' 'run view --job' 'run view -a' 'run view --attempt' 'run jobs -a' 'run jobs --attempt' 'run logs -j' 'run logs --job' 'run logs -a' 'run logs --attempt' 'run logs -n' 'run logs --tail' 'run logs --grep' 'run watch -i' 'run watch --interval' 'run watch --timeout' 'run rerun -j' 'run rerun --job' 'run delete --older-than' 'run delete -w' 'run delete --workflow' 'workflow run -r' 'workflow run --ref' 'workflow run -f' 'workflow run --field' 'workflow run --timeout' 'runner list --org' 'runner view --org' 'runner delete --org' 'runner enable --org' 'runner disable --org' 'runner token --org' 'artifact list --run' 'artifact list -n' 'artifact list --name' 'artifact download --run' 'artifact download -n' 'artifact download --name' 'artifact download -p' 'artifact download --pattern' 'artifact download --jobs' 'artifact download --max-size' 'artifact download --max-ratio' 'metrics decode --host' 'metrics decode --plugin' 'metrics decode --plugin-instance' 'metrics decode --type' 'metrics decode --type-instance' 'metrics decode --since' 'metrics decode --until' 'metrics decode --count' 'metrics stat --host' 'metrics stat --plugin' 'metrics stat --plugin-instance' 'metrics stat --type' 'metrics stat --type-instance' 'metrics stat --since' 'metrics stat --until' 'metrics plot --host' 'metrics plot --plugin' 'metrics plot --plugin-instance' 'metrics plot --type' 'metrics plot --type-instance' 'metrics plot --since' 'metrics plot --until' 'metrics plot --series' 'metrics plot --width' 'metrics plot --height' 'metrics serve --listen' 'metrics serve --count' 'metrics push --host' 'metrics push --plugin' 'metrics push --plugin-instance' 'metrics push --type' 'metrics push --type-instance' 'metrics push --since' 'metrics push --until' 'hook list --org' 'hook create --org' 'hook create --url' 'hook create --content-type' 'hook create --event' 'hook create --branch-filter' 'hook create --config' 'hook create --name' 'hook edit --org' 'hook edit --url' 'hook edit --content-type' 'hook edit --event' 'hook edit --branch-filter' 'hook edit --config' 'hook edit --name' 'hook delete --org' 'hook test --ref' 'api -X' 'api --method' 'api -f' 'api --raw-field' 'api -F' 'api --field' 'api -H' 'api --header' 'sandbox --port' 'sandbox --fault' 'sandbox --signed-for'
                    true
                case 'pr list --sort'
                    printf '%s\n' 'newest' 'oldest' 'updated' 'least-updated' 'comments' 'priority'
                case 'pr merge --style'
                    printf '%s\n' 'merge' 'rebase' 'rebase-merge' 'squash' 'fast-forward-only' 'manually-merged'
                case 'pr update --style'
                    printf '%s\n' 'merge' 'rebase'
                case 'pr files --ignore-whitespace'
                    printf '%s\n' 'all' 'change' 'eol'
                case 'pr checkout --worktree' 'workflow run --collect' 'artifact download -D' 'artifact download --dir' 'sandbox --dir'
                    __fish_complete_directories (commandline -ct | string replace -r '^--[^=]*=' '')
                case 'user list --visibility' 'user create --visibility' 'user edit --visibility'
                    printf '%s\n' 'public' 'limited' 'private'
                case 'user list --sort'
                    printf '%s\n' 'name' 'created' 'updated' 'id'
                case 'user list --order'
                    printf '%s\n' 'asc' 'desc'
                case 'user import --format'
                    printf '%s\n' 'csv' 'jsonl'
                case 'user import --on-existing'
                    printf '%s\n' 'skip' 'update' 'fail'
                case 'run list -s' 'run list --status'
                    printf '%s\n' 'queued' 'waiting' 'pending' 'requested' 'action_required' 'in_progress' 'completed' 'success' 'failure' 'cancelled' 'timed_out' 'skipped' 'neutral'
                case 'run delete -s' 'run delete --status'
                    printf '%s\n' 'success' 'failure' 'cancelled' 'skipped' 'completed'
                case 'metrics decode --framing' 'metrics stat --framing' 'metrics plot --framing' 'metrics push --framing'
                    printf '%s\n' 'auto' 'delimited' 'raw' 'grpc'
                case 'metrics decode --format' 'metrics serve --format'
                    printf '%s\n' 'ndjson' 'json' 'csv' 'putval' 'text'
                case 'metrics encode --framing'
                    printf '%s\n' 'delimited' 'raw' 'grpc'
                case 'metrics stat --by'
                    printf '%s\n' 'host' 'plugin' 'plugin_instance' 'type' 'type_instance' 'ds_name' 'kind'
                case 'hook list --type'
                    printf '%s\n' 'system' 'default' 'all'
                case 'hook create --type'
                    printf '%s\n' 'gitea' 'gogs' 'slack' 'discord' 'dingtalk' 'telegram' 'msteams' 'feishu' 'matrix' 'wechatwork' 'packagist' 'forgejo' 'sourcehut_builds'
                case '*'
                    return 1
            end
    end
    return 0
end

function __tongs_argument
    switch "$argv[1] $argv[2]"
        case 'profile set 1'
            printf '%s\n' 'host' 'user' 'repo' 'ca' 'insecure_http' 'proxy' 'rules'
        case 'repo clone 1'
            __fish_complete_directories (commandline -ct | string replace -r '^--[^=]*=' '')
        case 'user import 0'
            __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
        case 'metrics decode *'
            __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
        case 'metrics encode *'
            __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
        case 'metrics stat *'
            __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
        case 'metrics plot *'
            __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
        case 'metrics push *'
            __fish_complete_path (commandline -ct | string replace -r '^--[^=]*=' '')
        case 'completion 0'
            printf '%s\n' 'bash' 'zsh' 'fish' 'powershell'
    end
end

function __tongs_verbs
    switch "$argv[1]"
        case ''
            printf '%s\t%s\n' auth 'Authenticate with servers' profile 'Manage server profiles' doctor 'Diagnose problems with the configuration and the connection' pr 'Work on pull requests' repo 'Manage repositories' user 'Manage accounts' star 'Star repositories' follow 'Follow users' run 'View, watch and rerun workflow runs' workflow 'View, enable and run workflows' runner 'Manage runners' artifact 'Fetch what runs have made' metrics 'Read, write and serve collectd readings' hook 'Manage webhooks' api 'Make an authenticated API request' sandbox 'Run a small forge of your own, to try things on' completion 'Print the completion script of a shell' schema 'Describe commands for machines, as JSON' version 'Show the version of tongs'
        case 'auth'
            printf '%s\t%s\n' login 'Sign in to a server' status 'Show authentication status' token 'Print the access token' logout 'Sign out of a server'
        case 'profile'
            printf '%s\t%s\n' list 'List profiles' show 'Show a profile' use 'Set the default profile' set 'Change a profile setting' rename 'Rename a profile' delete 'Delete profiles and their tokens'
        case 'pr'
            printf '%s\t%s\n' list 'List pull requests' view 'View a pull request' diff 'View changes in a pull request' create 'Create a pull request' edit 'Edit a pull request' close 'Close a pull request' reopen 'Reopen a pull request' ready 'Mark a pull request as ready for review, or convert it to a draft' merge 'Merge a pull request' merged 'Check whether a pull request is merged' update 'Update a pull request branch from its base' commits 'List the commits of a pull request, newest first' files 'List the changed files of a pull request' checkout 'Check out a pull request in git' checks 'Show the status checks of a pull request' review 'Add a review to a pull request' reviews 'List the reviews of a pull request' comment 'Add a comment to a pull request'
        case 'repo'
            printf '%s\t%s\n' view 'View a repository' list 'List repositories' create 'Create a repository' delete 'Delete a repository and everything in it' clone 'Clone a repository'
        case 'user'
            printf '%s\t%s\n' list 'List the accounts of the server' view 'Show an account' create 'Create an account' edit 'Change an account' delete 'Delete accounts' rename 'Rename an account' import 'Create and update accounts from a file' key 'Manage public keys of accounts' badge 'Manage badges of accounts' email 'See the mail addresses of accounts'
        case 'user key'
            printf '%s\t%s\n' list 'List a user\'s public keys' add 'Add a public key to a user' delete 'Delete public keys of a user'
        case 'user badge'
            printf '%s\t%s\n' list 'List a user\'s badges' add 'Give badges to a user' remove 'Take badges from a user'
        case 'user email'
            printf '%s\t%s\n' list 'List the mail addresses of all accounts'
        case 'star'
            printf '%s\t%s\n' add 'Star repositories' remove 'Unstar repositories' list 'List starred repositories' check 'Check whether you starred a repository'
        case 'follow'
            printf '%s\t%s\n' add 'Follow users' remove 'Unfollow users' list 'List followed users' followers 'List followers' check 'Check whether you follow a user'
        case 'run'
            printf '%s\t%s\n' list 'List workflow runs' view 'View a workflow run and its jobs' jobs 'List the jobs of a workflow run' logs 'Print the logs of a workflow run' watch 'Watch a workflow run until it completes' why 'Explain why a workflow run failed or is waiting' rerun 'Rerun a workflow run' cancel 'Cancel workflow runs' approve 'Approve workflow runs of pull requests from forks' delete 'Delete workflow runs'
        case 'workflow'
            printf '%s\t%s\n' list 'List workflows' view 'View a workflow' enable 'Enable a workflow' disable 'Disable a workflow' run 'Run a workflow manually and print the URL of the run'
        case 'runner'
            printf '%s\t%s\n' list 'List runners' view 'View a runner' delete 'Delete runners' enable 'Enable runners' disable 'Disable runners' token 'Print a registration token for runners'
        case 'artifact'
            printf '%s\t%s\n' list 'List artifacts' view 'Show an artifact' download 'Download artifacts' delete 'Delete artifacts'
        case 'metrics'
            printf '%s\t%s\n' decode 'Decode collectd readings' encode 'Encode readings from JSON or PUTVAL lines' stat 'Summarize collectd readings by series' plot 'Plot series of collectd readings' serve 'Receive readings from collectd' push 'Send readings to a collectd gRPC server'
        case 'hook'
            printf '%s\t%s\n' list 'List webhooks' create 'Create a webhook' edit 'Edit a webhook' delete 'Delete webhooks' test 'Deliver a test event to a repository\'s webhook'
        case '*'
            return 1
    end
end

function __tongs_flags
    printf '%s\t%s\n' -R 'the repository: OWNER/NAME, HOST/OWNER/NAME or a URL' --repo 'the repository: OWNER/NAME, HOST/OWNER/NAME or a URL' --profile 'the stored profile' --host 'the server\'s address' --json 'print the whole record as JSON, or only these fields' --jsonl 'print one JSON record a line, as they arrive' --csv 'print CSV' --jq 'filter the JSON with a jq expression' --limit 'lists: at most this many (30)' --all 'lists: every page' --dry-run 'print the first write instead of sending it' -y 'answer yes to confirmations' --yes 'answer yes to confirmations' --no-input 'never prompt' -q 'no notes on stderr' --quiet 'no notes on stderr' --debug 'print every exchange on stderr, secrets masked' --color 'when to colour' --timeout 'time for a response to begin, and for each silence within it (30; 0: no limit)' -h 'help for any noun or verb' --help 'help for any noun or verb' --version 'the version'
    switch "$argv[1]"
        case 'auth login'
            printf '%s\t%s\n' --token-stdin 'read the token from stdin' --token-file 'read the token from a file, or - for stdin' --insecure-http 'allow plain HTTP to this server from now on'
        case 'pr list'
            printf '%s\t%s\n' -s 'filter by state' --state 'filter by state' -B 'filter by base branch' --base 'filter by base branch' -H 'filter by head branch' --head 'filter by head branch' -A 'filter by author' --author 'filter by author' -a 'filter by assignee' --assignee 'filter by assignee' -l 'filter by labels' --label 'filter by labels' --milestone 'filter by milestone' --draft 'show only drafts, or no drafts' --no-draft 'not: show only drafts, or no drafts' -S 'search for words in title, body and comments' --search 'search for words in title, body and comments' --sort 'sort order (default: newest)'
        case 'pr view'
            printf '%s\t%s\n' -c 'show comments and reviews' --comments 'show comments and reviews' -w 'open the pull request in the browser' --web 'open the pull request in the browser' -B 'find it by branches: the base branch, with --head' --base 'find it by branches: the base branch, with --head' -H 'find it by branches: the head branch, with --base' --head 'find it by branches: the head branch, with --base'
        case 'pr diff'
            printf '%s\t%s\n' --patch 'print a patch for each commit, for git am' --name-only 'print only the names of changed files' --stat 'print the number of changed lines per file'
        case 'pr create'
            printf '%s\t%s\n' -t 'title of the pull request' --title 'title of the pull request' -b 'body of the pull request' --body 'body of the pull request' -F 'read the body from a file (- for standard input)' --body-file 'read the body from a file (- for standard input)' -f 'use the commits for title and body' --fill 'use the commits for title and body' -B 'base branch to merge into (default: the repository\'s default branch)' --base 'base branch to merge into (default: the repository\'s default branch)' -H 'head branch to merge, OWNER:BRANCH for a fork (default: the current branch)' --head 'head branch to merge, OWNER:BRANCH for a fork (default: the current branch)' --push 'push the head branch first' -d 'create a draft (prefixes the title with WIP:)' --draft 'create a draft (prefixes the title with WIP:)' -l 'add labels' --label 'add labels' -a 'assign users (@me for yourself)' --assignee 'assign users (@me for yourself)' -r 'request reviews from users' --reviewer 'request reviews from users' --team-reviewer 'request reviews from teams of the organization' -m 'set the milestone, by title or number' --milestone 'set the milestone, by title or number' --due 'set the due date, such as 2026-12-24' --maintainer-edit 'allow maintainers to push to the head branch (default: the repository setting)' --no-maintainer-edit 'not: allow maintainers to push to the head branch (default: the repository setting)'
        case 'pr edit'
            printf '%s\t%s\n' -t 'set the title' --title 'set the title' -b 'set the body' --body 'set the body' -F 'read the body from a file (- for standard input)' --body-file 'read the body from a file (- for standard input)' -B 'change the base branch' --base 'change the base branch' --add-label 'add labels' --remove-label 'remove labels' --add-assignee 'add assignees (@me for yourself)' --remove-assignee 'remove assignees' --add-reviewer 'request reviews from users, or from teams as ORG/TEAM' --remove-reviewer 'remove requested reviewers' -m 'set the milestone, by title or number' --milestone 'set the milestone, by title or number' --no-milestone 'remove the milestone' --due 'set the due date, such as 2026-12-24' --no-due 'remove the due date' --maintainer-edit 'allow maintainers to push to the head branch' --no-maintainer-edit 'not: allow maintainers to push to the head branch'
        case 'pr close' 'pr reopen'
            printf '%s\t%s\n' -c 'add a comment' --comment 'add a comment'
        case 'pr ready'
            printf '%s\t%s\n' --undo 'convert it to a draft'
        case 'pr merge'
            printf '%s\t%s\n' --style 'merge style (default: the repository setting)' -t 'title of the merge or squash commit' --title 'title of the merge or squash commit' --message 'message of the merge or squash commit, after the title' -F 'read the message from a file (- for standard input)' --message-file 'read the message from a file (- for standard input)' --merge-commit 'with --style manually-merged: the merge commit on the base branch' --match-head 'merge only if the head commit is SHA, full or abbreviated' --auto 'merge automatically when all checks succeed' --cancel-auto 'cancel a scheduled automatic merge' --force 'bypass the protection rules of the base branch (administrators)' -d 'delete the head branch after the merge (default: the repository setting)' --delete-branch 'delete the head branch after the merge (default: the repository setting)' --no-delete-branch 'not: delete the head branch after the merge (default: the repository setting)'
        case 'pr update'
            printf '%s\t%s\n' --style 'merge the base branch into it, or rebase it (default: merge)'
        case 'pr files'
            printf '%s\t%s\n' --ignore-whitespace 'ignore changes of whitespace'
        case 'pr checkout'
            printf '%s\t%s\n' -b 'local branch name to use (default: the name of the head branch)' --branch 'local branch name to use (default: the name of the head branch)' --detach 'check out with a detached HEAD' --worktree 'check out in a new worktree in DIR' -f 'reset an existing local branch, discarding its own commits' --force 'reset an existing local branch, discarding its own commits'
        case 'pr checks'
            printf '%s\t%s\n' -w 'watch until no check is pending' --watch 'watch until no check is pending' --required 'show only required checks' --fail-fast 'with --watch: stop at the first failed check' -i 'with --watch: refresh interval (default: 10)' --interval 'with --watch: refresh interval (default: 10)'
        case 'pr review'
            printf '%s\t%s\n' -a 'approve the pull request' --approve 'approve the pull request' -r 'request changes' --request-changes 'request changes' -c 'comment without approving or requesting changes' --comment 'comment without approving or requesting changes' -b 'the body of the review' --body 'the body of the review' -F 'read the body from a file (- for standard input)' --body-file 'read the body from a file (- for standard input)'
        case 'pr comment'
            printf '%s\t%s\n' -b 'the text of the comment' --body 'the text of the comment' -F 'read the text from a file (- for standard input)' --body-file 'read the text from a file (- for standard input)'
        case 'repo create'
            printf '%s\t%s\n' --private 'make the repository private' -d 'description of the repository' --description 'description of the repository' --init 'initialize the repository with a README' --org 'organization to create the repository in' --default-branch 'name of the default branch' --gitignore 'with --init, gitignore templates, separated by commas' --license 'with --init, license template'
        case 'user list'
            printf '%s\t%s\n' --query 'with this in name, full name or mail' --admin 'administrators only, or none of them' --no-admin 'not: administrators only, or none of them' --active 'active accounts only' --inactive 'inactive accounts only' --restricted 'restricted accounts only, or none of them' --no-restricted 'not: restricted accounts only, or none of them' --2fa 'with a second factor, or without' --no-2fa 'not: with a second factor, or without' --prohibit-login 'who may not sign in, or who may' --no-prohibit-login 'not: who may not sign in, or who may' --visibility 'of this visibility' --source-id 'of this login source (0 is the server itself)' --login-name 'with exactly this name at the login source' --sort 'in the order of' --order 'up or down'
        case 'user create'
            printf '%s\t%s\n' --email 'the mail address' --full-name 'the display name' --password-stdin 'read the password from stdin' --password-file 'read the password from this file' --generate-password 'make a password and print it' --no-must-change-password 'the password need not be changed at the first sign-in' --admin 'make the account an administrator' --restricted 'the account sees only what it is added to' --visibility 'who sees the account' --source-id 'the login source (0 is the server itself)' --login-name 'the name at the login source' --notify 'the server sends a mail about the new account' --created-at 'date the account back to this time'
        case 'user edit'
            printf '%s\t%s\n' --email 'the primary mail address' --full-name 'the display name' --password-stdin 'read a new password from stdin' --password-file 'read a new password from this file' --must-change-password 'the password must be changed at the next sign-in' --no-must-change-password 'not: the password must be changed at the next sign-in' --admin 'administrator' --no-admin 'not: administrator' --active 'active' --no-active 'not: active' --restricted 'sees only what it is added to' --no-restricted 'not: sees only what it is added to' --prohibit-login 'may not sign in' --no-prohibit-login 'not: may not sign in' --visibility 'who sees the account' --website 'the web site' --location 'the location' --description 'the description' --max-repo-creation 'how many repositories the account may own (-1: the server\'s default)' --allow-git-hook 'may edit git hooks' --no-allow-git-hook 'not: may edit git hooks' --allow-import-local 'may import local repositories' --no-allow-import-local 'not: may import local repositories' --allow-create-organization 'may create organizations' --no-allow-create-organization 'not: may create organizations' --source-id 'the login source (0 is the server itself)' --login-name 'the name at the login source'
        case 'user delete'
            printf '%s\t%s\n' --purge 'destroy the repositories, organizations and packages, too'
        case 'user import'
            printf '%s\t%s\n' --format 'what the file is (by its name)' --plan 'only say what would happen; nothing but reads is sent' --on-existing 'an account that is there already' --generate-passwords 'make missing passwords and write them to this new file (0600)' --jobs 'how many requests are under way at once (8)' --journal 'the journal (FILE.journal)' --resume 'go on after an interruption'
        case 'user key add'
            printf '%s\t%s\n' --title 'what the key is called (default: its comment)' --key-file 'the file with the public key; - is stdin' --read-only 'sent as it is; the servers heed it for deploy keys only'
        case 'user email list'
            printf '%s\t%s\n' --query 'with this in the address or the user\'s name'
        case 'star list'
            printf '%s\t%s\n' --user 'list the stars of this user instead of yours'
        case 'follow list'
            printf '%s\t%s\n' --user 'list the users this user follows'
        case 'follow followers'
            printf '%s\t%s\n' --user 'list the followers of this user'
        case 'follow check'
            printf '%s\t%s\n' --by 'check for this user instead of yourself'
        case 'run list'
            printf '%s\t%s\n' -w 'filter by workflow file or name' --workflow 'filter by workflow file or name' -b 'filter by branch' --branch 'filter by branch' -e 'filter by event: push, pull_request, schedule, workflow_dispatch …' --event 'filter by event: push, pull_request, schedule, workflow_dispatch …' -s 'filter by state' --status 'filter by state' -u 'filter by the user who triggered the run' --actor 'filter by the user who triggered the run' -c 'filter by commit (full SHA)' --head-sha 'filter by commit (full SHA)' --org 'for an organization, instead of the repository' --user 'for your account, instead of the repository' --admin 'for the whole server, instead of the repository'
        case 'run view'
            printf '%s\t%s\n' -j 'view this job and its steps (name or ID)' --job 'view this job and its steps (name or ID)' -a 'view this attempt' --attempt 'view this attempt' -w 'open the run in the browser' --web 'open the run in the browser'
        case 'run jobs'
            printf '%s\t%s\n' -a 'list the jobs of this attempt' --attempt 'list the jobs of this attempt'
        case 'run logs'
            printf '%s\t%s\n' -j 'print the log of this job (name or ID)' --job 'print the log of this job (name or ID)' -a 'print the logs of this attempt' --attempt 'print the logs of this attempt' --failed 'print only lines of failed steps' -n 'print only the last N lines of each job' --tail 'print only the last N lines of each job' --grep 'print only lines that match this regular expression' --no-timestamps 'omit timestamps'
        case 'run watch'
            printf '%s\t%s\n' -i 'minimum refresh interval' --interval 'minimum refresh interval' --fail-fast 'stop as soon as a job fails' --logs 'print the logs as they arrive' --timeout 'stop waiting after this time (0: no limit)'
        case 'run rerun'
            printf '%s\t%s\n' --failed 'rerun only the failed jobs' -j 'rerun only this job (name or ID)' --job 'rerun only this job (name or ID)'
        case 'run delete'
            printf '%s\t%s\n' --older-than 'delete runs that finished longer ago than this: 30d, 12h, 2w' -w 'delete runs of this workflow (file or name)' --workflow 'delete runs of this workflow (file or name)' -s 'delete runs with this result' --status 'delete runs with this result'
        case 'workflow run'
            printf '%s\t%s\n' -r 'branch or tag to run the workflow on (default: the default branch)' --ref 'branch or tag to run the workflow on (default: the default branch)' -f 'add an input' --field 'add an input' --inputs-file 'read inputs from a JSON or YAML file; - reads stdin' -w 'wait until the run completes' --watch 'wait until the run completes' --timeout 'with --watch or --collect, stop waiting after this time (0: no limit)' --collect 'wait, then download the run\'s artifacts into this directory'
        case 'runner list' 'runner view' 'runner delete' 'runner enable' 'runner disable' 'runner token' 'hook delete'
            printf '%s\t%s\n' --org 'for an organization, instead of the repository' --user 'for your account, instead of the repository' --admin 'for the whole server, instead of the repository'
        case 'artifact list'
            printf '%s\t%s\n' --run 'of this run only: its id, or latest' -n 'with exactly this name' --name 'with exactly this name'
        case 'artifact download'
            printf '%s\t%s\n' --run 'those of this run: its id, or latest' -n 'with exactly this name' --name 'with exactly this name' -p 'with a name that matches' --pattern 'with a name that matches' -D 'into this folder' --dir 'into this folder' --zip 'keep the archives, NAME.zip, instead of unpacking' --jobs 'how many downloads at once (4)' --overwrite 'replace files that are there' --skip-existing 'keep files that are there, and download no artifact that is' --max-size 'the most that one artifact may be, received or unpacked' --max-ratio 'the most times its own size that an artifact may unpack to (200)'
        case 'metrics decode'
            printf '%s\t%s\n' --framing 'how messages are framed in the input' --lenient 'accept strings that are not UTF-8, and show their bytes' --skip-errors 'skip bad messages' --host 'only readings of this host; * and ? are wildcards' --plugin 'only this plugin' --plugin-instance 'only this plugin instance' --type 'only this type' --type-instance 'only this type instance' --since 'only readings at or after this time: a date and time, a date, or 2h (two hours ago)' --until 'only readings before this time' --format 'output format (ndjson; text on a terminal)' --count 'stop after this many readings' -o 'write to a file instead of stdout' --output 'write to a file instead of stdout' --utc 'with --format text: show times in UTC instead of local time'
        case 'metrics encode'
            printf '%s\t%s\n' --framing 'how to frame messages' -o 'write to a file instead of stdout' --output 'write to a file instead of stdout' --types 'types.db for PUTVAL lines (default: /usr/share/collectd/types.db)'
        case 'metrics stat'
            printf '%s\t%s\n' --framing 'how messages are framed in the input' --lenient 'accept strings that are not UTF-8, and show their bytes' --skip-errors 'skip bad messages' --host 'only readings of this host; * and ? are wildcards' --plugin 'only this plugin' --plugin-instance 'only this plugin instance' --type 'only this type' --type-instance 'only this type instance' --since 'only readings at or after this time: a date and time, a date, or 2h (two hours ago)' --until 'only readings before this time' --by 'labels to group by (default: all)'
        case 'metrics plot'
            printf '%s\t%s\n' --framing 'how messages are framed in the input' --lenient 'accept strings that are not UTF-8, and show their bytes' --skip-errors 'skip bad messages' --host 'only readings of this host; * and ? are wildcards' --plugin 'only this plugin' --plugin-instance 'only this plugin instance' --type 'only this type' --type-instance 'only this type instance' --since 'only readings at or after this time: a date and time, a date, or 2h (two hours ago)' --until 'only readings before this time' --series 'series to plot; * and ? are wildcards' --width 'width in columns' --height 'height of each plot in lines (default: 12)' --svg 'write an SVG image to a file instead' --utc 'show times in UTC instead of local time'
        case 'metrics serve'
            printf '%s\t%s\n' --listen 'address to listen on; port 0 picks a free port' --to 'write to a file instead of printing' --format 'output format (ndjson; text on a terminal)' --count 'stop after this many readings' --utc 'with --format text: show times in UTC instead of local time'
        case 'metrics push'
            printf '%s\t%s\n' --framing 'how messages are framed in the input' --skip-errors 'skip bad messages' --host 'only readings of this host; * and ? are wildcards' --plugin 'only this plugin' --plugin-instance 'only this plugin instance' --type 'only this type' --type-instance 'only this type instance' --since 'only readings at or after this time: a date and time, a date, or 2h (two hours ago)' --until 'only readings before this time'
        case 'hook list'
            printf '%s\t%s\n' --org 'for an organization, instead of the repository' --user 'for your account, instead of the repository' --admin 'for the whole server, instead of the repository' --type 'with --admin, which kind to list'
        case 'hook create'
            printf '%s\t%s\n' --org 'for an organization, instead of the repository' --user 'for your account, instead of the repository' --admin 'for the whole server, instead of the repository' --type 'type of the receiver' --system 'with --admin, create a system webhook instead of a default webhook for new repositories' --url 'address to deliver events to' --content-type 'content type of deliveries: json or form' --event 'events to deliver' --branch-filter 'deliver only events of branches that match this pattern' --secret-stdin 'read the secret that signs deliveries from stdin' --secret-file 'read the secret from a file' --authorization-header-file 'read the Authorization header of deliveries from a file' --config 'setting specific to the type of webhook: channel=…' --active 'deliver events' --no-active 'not: deliver events' --name 'name of the webhook'
        case 'hook edit'
            printf '%s\t%s\n' --org 'for an organization, instead of the repository' --user 'for your account, instead of the repository' --admin 'for the whole server, instead of the repository' --url 'address to deliver events to' --content-type 'content type of deliveries: json or form' --event 'events to deliver' --branch-filter 'deliver only events of branches that match this pattern' --secret-stdin 'read the secret that signs deliveries from stdin' --secret-file 'read the secret from a file' --authorization-header-file 'read the Authorization header of deliveries from a file' --config 'setting specific to the type of webhook: channel=…' --active 'deliver events' --no-active 'not: deliver events' --name 'name of the webhook'
        case 'hook test'
            printf '%s\t%s\n' --ref 'deliver a push event for this branch, tag or commit'
        case 'api'
            printf '%s\t%s\n' -X 'the HTTP method (default: GET, or POST with fields or --input)' --method 'the HTTP method (default: GET, or POST with fields or --input)' -f 'add a string field' --raw-field 'add a string field' -F 'add a typed field: true, false, null and integers are converted; @FILE reads the value from a file' --field 'add a typed field: true, false, null and integers are converted; @FILE reads the value from a file' -H 'add a request header' --header 'add a request header' --input 'read the request body from a file, or - for stdin; fields become query parameters' --paginate 'fetch all pages and merge them into one array' -i 'include the response status and headers in the output' --include 'include the response status and headers in the output'
        case 'sandbox'
            printf '%s\t%s\n' --port 'the port to listen on; 0 picks a free one (3030)' --dir 'keep repositories and state in this folder, and go on from there' --empty 'no demonstration project: only the administrator' --fault 'what goes wrong on purpose (may be given again)' --signed-for 'how long the address of a download holds (3600)'
    end
end

function __tongs_fields
    switch "$argv[1]"
        case 'auth login' 'auth logout' 'profile list' 'profile show' 'profile use' 'profile set' 'profile rename' 'profile delete'
            printf '%s\n' name default host user since scopes repo ca insecure_http proxy rules
        case 'auth status'
            printf '%s\n' profile default host user accepted because since scopes token_in problem
        case 'auth token'
            printf '%s\n' profile host user token
        case 'doctor'
            printf '%s\n' ok version config_dir profile host because server offers user scopes clock_skew checks
        case 'pr list' 'pr create' 'pr edit' 'pr close' 'pr reopen' 'pr ready' 'pr merge' 'pr merged' 'pr update' 'pr checkout'
            printf '%s\n' id url number user title body labels milestone assignee assignees requested_reviewers requested_reviewers_teams state draft is_locked comments review_comments additions deletions changed_files html_url diff_url patch_url mergeable merged merged_at merge_commit_sha merged_by allow_maintainer_edit base head merge_base due_date created_at updated_at closed_at pin_order content_version
        case 'pr view'
            printf '%s\n' id url number user title body labels milestone assignee assignees requested_reviewers requested_reviewers_teams state draft is_locked comments review_comments additions deletions changed_files html_url diff_url patch_url mergeable merged merged_at merge_commit_sha merged_by allow_maintainer_edit base head merge_base due_date created_at updated_at closed_at pin_order content_version comment_list review_list
        case 'pr diff' 'pr files'
            printf '%s\n' filename previous_filename status additions deletions changes html_url contents_url raw_url
        case 'pr commits'
            printf '%s\n' url sha created html_url commit author committer parents files stats
        case 'pr checks'
            printf '%s\n' id status target_url description url context creator created_at updated_at
        case 'pr review' 'pr reviews'
            printf '%s\n' id user team state body commit_id stale official dismissed comments_count submitted_at updated_at html_url pull_request_url
        case 'pr comment'
            printf '%s\n' id html_url pull_request_url issue_url user original_author original_author_id body assets created_at updated_at
        case 'repo view' 'repo list' 'repo create' 'repo delete' 'repo clone' 'star add' 'star remove' 'star list' 'star check'
            printf '%s\n' id owner name full_name description empty private fork template parent mirror size language languages_url html_url url link ssh_url clone_url original_url website stars_count forks_count watchers_count branch_count open_issues_count open_pr_counter release_counter default_branch default_target_branch archived created_at updated_at archived_at permissions has_code has_issues internal_tracker external_tracker has_wiki external_wiki has_pull_requests has_projects projects_mode has_releases has_packages has_actions ignore_whitespace_conflicts allow_merge_commits allow_rebase allow_rebase_explicit allow_squash_merge allow_fast_forward_only_merge allow_merge_update allow_rebase_update allow_manual_merge autodetect_manual_merge default_delete_branch_after_merge default_merge_style default_update_style default_allow_maintainer_edit avatar_url internal mirror_interval object_format_name mirror_updated mirror_last_sync_at repo_transfer topics licenses wiki_branch globally_editable_wiki
        case 'user list' 'user view' 'user edit' 'user delete' 'user rename' 'follow add' 'follow remove' 'follow list' 'follow followers' 'follow check'
            printf '%s\n' id login username login_name source_id full_name email avatar_url html_url language is_admin last_login created restricted active prohibit_login location website description visibility followers_count following_count starred_repos_count pronouns
        case 'user create'
            printf '%s\n' id login username login_name source_id full_name email avatar_url html_url language is_admin last_login created restricted active prohibit_login location website description visibility followers_count following_count starred_repos_count pronouns generated_password
        case 'user import'
            printf '%s\n' line username action changes reason
        case 'user key list' 'user key add'
            printf '%s\n' id key url title fingerprint created_at last_used_at user read_only key_type
        case 'user badge list' 'user badge add' 'user badge remove'
            printf '%s\n' ID Slug Description ImageURL
        case 'user email list'
            printf '%s\n' email verified primary user_id username
        case 'run list'
            printf '%s\n' id url previous_attempt_url html_url display_title path event run_attempt run_number repository_id head_sha head_branch status conclusion actor trigger_actor repository head_repository pull_requests started_at completed_at name workflow_id created_at updated_at run_started_at
        case 'run view'
            printf '%s\n' id url previous_attempt_url html_url display_title path event run_attempt run_number repository_id head_sha head_branch status conclusion actor trigger_actor repository head_repository pull_requests started_at completed_at job_list task_list run_id run_url name labels runner_id runner_name steps created_at
        case 'run jobs'
            printf '%s\n' id url html_url run_id run_url name labels run_attempt head_sha head_branch status conclusion runner_id runner_name steps created_at started_at completed_at
        case 'run logs'
            printf '%s\n' job_id job step time text
        case 'run watch' 'run rerun' 'run cancel' 'run approve' 'run delete' 'workflow run'
            printf '%s\n' id url previous_attempt_url html_url display_title path event run_attempt run_number repository_id head_sha head_branch status conclusion actor trigger_actor repository head_repository pull_requests started_at completed_at
        case 'run why'
            printf '%s\n' run failures waiting last_success
        case 'workflow list' 'workflow view' 'workflow enable' 'workflow disable'
            printf '%s\n' id name path state created_at updated_at url html_url badge_url deleted_at
        case 'runner list' 'runner view' 'runner enable' 'runner disable'
            printf '%s\n' id name status busy disabled ephemeral labels
        case 'runner token'
            printf '%s\n' token
        case 'artifact list' 'artifact view'
            printf '%s\n' id name size_in_bytes url archive_download_url expired workflow_run created_at updated_at expires_at
        case 'artifact download'
            printf '%s\n' id name size_in_bytes url archive_download_url expired workflow_run created_at updated_at expires_at path
        case 'metrics decode'
            printf '%s\n' values time interval identifier ds_names meta_data invalid_utf8
        case 'metrics stat'
            printf '%s\n' host plugin plugin_instance type type_instance ds_name kind count nan first_time last_time min max mean last rate resets wraps
        case 'metrics push'
            printf '%s\n' server sent
        case 'hook list' 'hook create' 'hook edit'
            printf '%s\n' id name type branch_filter config events authorization_header active updated_at created_at url content_type metadata
        case 'sandbox'
            printf '%s\n' url users
        case 'schema'
            printf '%s\n' version global_flags exit_codes environment commands
        case 'version'
            printf '%s\n' version
        case '*'
            return 1
    end
end

function __tongs_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l path ''
    set -l flag ''
    set -l ended ''
    set -l helping ''
    set -l count 0
    for word in $words[2..-1]
        if test -n "$flag"
            set flag ''
        else if test -z "$ended" -a "$word" = --
            set ended 1
        else if test -z "$ended"; and string match -qr -- '^-.*=' $word
        else if test -z "$ended"; and string match -qr -- '^-.' $word
            __tongs_value "$path" $word >/dev/null; and set flag $word
        else if test -z "$path" -a "$word" = help
            set helping 1
        else
            set path (__tongs_enter "$path" $word); or set count (math $count + 1)
        end
    end
    set -l before ''
    if test -z "$flag" -a -z "$ended"; and string match -qr -- '^--[^=]*=' $current
        set flag (string split -m 1 = -- $current)[1]
        set before "$flag="
        set current (string split -m 1 = -- $current)[2]
    end
    if test "$flag" = --json; or test -z "$flag" -a "$words[-1]" = --json; and not string match -q -- '-*' $current
        set -l fields (__tongs_fields "$path")
        if test (count $fields) -gt 0
            set -l already (string replace -rf -- '^(.*,).*$' '$1' $current)
            printf '%s\n' "$before$already"$fields
            return
        end
    end
    if test -n "$flag"
        for value in (__tongs_value "$path" $flag)
            printf '%s%s\n' $before $value
        end
    else if test -z "$ended"; and string match -q -- '-*' $current
        __tongs_flags "$path"
    else if __tongs_verbs "$path" >/dev/null
        test $count -eq 0; or return
        __tongs_verbs "$path"
        if test -n "$helping" -a -z "$path"
            printf '%s\n' exit-codes environment json
        end
    else
        __tongs_argument "$path" $count
    end
end

complete -c tongs -f
complete -c tongs -f -a '(__tongs_complete)'
