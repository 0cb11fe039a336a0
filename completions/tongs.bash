# bash completion for tongs. To use it: source <(tongs completion bash)

_tongs() {
  local IFS=$' \t\n' line word quote='' cur='' before='' directive=0 i tab=$'\t'
  local -a words=() found=() titles=() lines=()
  COMPREPLY=()
  # bash splits words at = and : (COMP_WORDBREAKS); words without a space between them are one.
  local rest="${COMP_LINE:0:COMP_POINT}"
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word="${COMP_WORDS[i]}"
    if ((i > 0)) && [[ $rest != [[:space:]]* ]]; then words[${#words[@]} - 1]+="$word"; else words+=("$word"); fi
    rest="${rest#"${rest%%[![:space:]]*}"}"
    rest="${rest#"$word"}"
  done
  # What the cursor is behind, without its quotes; nothing in it is expanded.
  cur="${words[${#words[@]} - 1]}"
  for ((i = 1; i < ${#words[@]}; i++)); do words[i]="$(_tongs_unquoted "${words[i]}")"; done
  case "$cur" in [\'\"]*) quote="${cur:0:1}" ;; esac

  while IFS= read -r line; do lines+=("$line"); done < <(command tongs __complete "${words[@]:1}" 2>/dev/null)
  ((${#lines[@]} > 0)) || return 0
  directive="${lines[${#lines[@]} - 1]#:}"
  [[ $directive =~ ^[0-9]+$ ]] || return 0
  unset "lines[${#lines[@]}-1]"

  # The part of the word that bash does not replace ends at the last = or :.
  word="${words[${#words[@]} - 1]}"
  if [[ -z $quote && $word == *[=:]* ]]; then before="${word%"${word##*[=:]}"}"; fi
  for line in ${lines[@]+"${lines[@]}"}; do
    word="${line%%"$tab"*}"
    titles+=("${line#"$word"}")
    word="${word#"$before"}"
    case "$quote" in
      \') word="'${word//\'/\'\\\'\'}" ;;
      \")
        word="${word//\\/\\\\}"
        word="${word//\"/\\\"}"
        word="${word//\$/\\\$}"
        word="${word//\`/\\\`}"
        word="\"$word"
        ;;
      *) [[ $word == *[!A-Za-z0-9_@%+=:,./#-]* || $word == '#'* ]] && printf -v word %q "$word" ;;
    esac
    # Readline keeps an open quote.
    found+=("${word#"$quote"}")
  done

  if ((${#found[@]} == 0)); then
    ((directive & 4)) && return 0
    compopt -o filenames 2>/dev/null
    IFS=$'\n'
    cur="${words[${#words[@]} - 1]#"$before"}"
    if ((directive & 16)); then COMPREPLY=($(compgen -d -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi
    return 0
  fi
  ((directive & 2)) && compopt -o nospace 2>/dev/null
  # Titles are shown in a list of several words, and never inserted.
  if ((${#found[@]} > 1)) && [[ ${COMP_TYPE:-9} == 63 ]]; then
    for ((i = 0; i < ${#found[@]}; i++)); do found[i]+="${titles[i]:+  (${titles[i]#"$tab"})}"; done
  fi
  COMPREPLY=("${found[@]}")
}

# Prints a word without its quotes and backslashes.
_tongs_unquoted() {
  local text="$1" out='' quote='' char i
  for ((i = 0; i < ${#text}; i++)); do
    char="${text:i:1}"
    if [[ $quote == \' ]]; then
      if [[ $char == \' ]]; then quote=''; else out+="$char"; fi
    elif [[ $char == \\ ]]; then
      ((++i))
      out+="${text:i:1}"
    elif [[ $quote == \" && $char == \" ]]; then
      quote=''
    elif [[ -z $quote && ($char == \' || $char == \") ]]; then
      quote="$char"
    else
      out+="$char"
    fi
  done
  printf '%s' "$out"
}

complete -F _tongs tongs
