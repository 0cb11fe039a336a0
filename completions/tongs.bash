# bash completion for tongs, made from its command table by: npm run generate
# Use it with: source <(tongs completion bash)

# Goes from a place (path) by a word to the next; fails when the word is an argument.
_tongs_enter() {
  case "$path $1" in
    ' help') help=1 ;;
    ' pr') path='pr' ;;
    ' sandbox') path='sandbox' ;;
    ' completion') path='completion' ;;
    ' schema') path='schema' ;;
    ' version') path='version' ;;
    'pr list' | 'pr ls') path='pr list' ;;
    'pr view') path='pr view' ;;

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
        'pr list --state') words='open closed merged all' ;;
        'pr list --base' | 'sandbox --port') : ;;
        'sandbox --dir') paths=folder ;;
        *) return 1 ;;
      esac
      ;;
  esac
}

# Finds what an argument can be, by its position.
_tongs_argument() {
  case "$path $1" in
    'completion '0) words='bash zsh fish powershell' ;;
    *) : ;;
  esac
}

_tongs_verbs() {
  case "$path" in
    '') words='pr sandbox completion schema version' ;;
    'pr') words='list view' ;;
    *) return 1 ;;
  esac
}

_tongs_flags() {
  words='-R --repo --profile --host --json --jsonl --csv --jq --limit --all --dry-run -y --yes --no-input -q --quiet --debug --color --timeout -h --help --version'
  case "$path" in
    'pr list') words="$words "'--state --base' ;;
    'pr view') words="$words "'--comments --web' ;;
    'sandbox') words="$words "'--port --dir --empty' ;;
  esac
}

_tongs_fields() {
  case "$path" in
    'pr list' | 'pr view') words='id url number user title body labels milestone assignee assignees requested_reviewers requested_reviewers_teams state draft is_locked comments review_comments additions deletions changed_files html_url diff_url patch_url mergeable merged merged_at merge_commit_sha merged_by allow_maintainer_edit base head merge_base due_date created_at updated_at closed_at pin_order content_version' ;;
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
