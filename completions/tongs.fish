# fish completion for tongs, made from its command table by: npm run generate
# Put it into ~/.config/fish/completions/, or: tongs completion fish | source

# From a place by a word to the next; fails when the word is an argument.
function __tongs_enter
    switch "$argv[1] $argv[2]"
        case ' pr'
            echo 'pr'
        case ' sandbox'
            echo 'sandbox'
        case ' completion'
            echo 'completion'
        case ' schema'
            echo 'schema'
        case ' version'
            echo 'version'
        case 'pr list' 'pr ls'
            echo 'pr list'
        case 'pr view'
            echo 'pr view'
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
                case 'pr list --state'
                    printf '%s\n' 'open' 'closed' 'merged' 'all'
                case 'pr list --base' 'sandbox --port'
                    true
                case 'sandbox --dir'
                    __fish_complete_directories (commandline -ct | string replace -r '^--[^=]*=' '')
                case '*'
                    return 1
            end
    end
    return 0
end

function __tongs_argument
    switch "$argv[1] $argv[2]"
        case 'completion 0'
            printf '%s\n' 'bash' 'zsh' 'fish' 'powershell'
    end
end

function __tongs_verbs
    switch "$argv[1]"
        case ''
            printf '%s\t%s\n' pr 'Work on pull requests' sandbox 'Run a small forge of your own, to try things on' completion 'Print the completion script of a shell' schema 'Describe commands for machines, as JSON' version 'Show the version of tongs'
        case 'pr'
            printf '%s\t%s\n' list 'List pull requests' view 'Show a pull request'
        case '*'
            return 1
    end
end

function __tongs_flags
    printf '%s\t%s\n' -R 'the repository: OWNER/NAME, HOST/OWNER/NAME or a URL' --repo 'the repository: OWNER/NAME, HOST/OWNER/NAME or a URL' --profile 'the stored profile' --host 'the server\'s address' --json 'print the whole record as JSON, or only these fields' --jsonl 'print one JSON record a line, as they arrive' --csv 'print CSV' --jq 'filter the JSON with a jq expression' --limit 'lists: at most this many (30)' --all 'lists: every page' --dry-run 'print the first write instead of sending it' -y 'answer yes to confirmations' --yes 'answer yes to confirmations' --no-input 'never prompt' -q 'no notes on stderr' --quiet 'no notes on stderr' --debug 'print every exchange on stderr, secrets masked' --color 'when to colour' --timeout 'time for one answer to begin (30; 0 waits for ever)' -h 'help for any noun or verb' --help 'help for any noun or verb' --version 'the version'
    switch "$argv[1]"
        case 'pr list'
            printf '%s\t%s\n' --state 'in which state' --base 'into this branch'
        case 'pr view'
            printf '%s\t%s\n' --comments 'show the comments, too' --web 'open it in the browser'
        case 'sandbox'
            printf '%s\t%s\n' --port 'the port to listen on; 0 picks a free one (3030)' --dir 'keep repositories and state in this folder, and go on from there' --empty 'no demonstration project: only the administrator'
    end
end

function __tongs_fields
    switch "$argv[1]"
        case 'pr list' 'pr view'
            printf '%s\n' id url number user title body labels milestone assignee assignees requested_reviewers requested_reviewers_teams state draft is_locked comments review_comments additions deletions changed_files html_url diff_url patch_url mergeable merged merged_at merge_commit_sha merged_by allow_maintainer_edit base head merge_base due_date created_at updated_at closed_at pin_order content_version
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
