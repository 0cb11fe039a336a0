import { type CompletionNode, type FlagWord, grouped, type Values, type Vocabulary } from "./words.ts";

/** The completion of bash, 3.2 or newer, with nothing else installed. */
export function bash({ nodes, steps, globals, topics }: Vocabulary): string {
  const valued = (node: CompletionNode) => node.flags.filter((flag) => flag.takes !== undefined);
  const flagCases = grouped(
    nodes.flatMap((node) => valued(node).map((flag) => ({ node, flag }))),
    ({ node, flag }) =>
      spellings(flag)
        .map((spelling) => quoted(`${node.path} ${spelling}`))
        .join(" | "),
    ({ flag }) => offers(flag.values),
  );
  const globalCases = grouped(
    globals.filter((flag) => flag.takes !== undefined && flag.long !== "--json"),
    (flag) => spellings(flag).join(" | "),
    (flag) => offers(flag.values),
  );
  const argumentCases = nodes.flatMap((node) =>
    node.args.flatMap((arg, index) =>
      offers(arg.values) === ":"
        ? []
        : [`${quoted(`${node.path} `)}${arg.many ? "*" : index}) ${offers(arg.values)} ;;`],
    ),
  );
  const defaultVerb = nodes.flatMap((node) =>
    node.defaultVerb === undefined
      ? []
      : [`${quoted(`${node.path} `)}*) path=${quoted(node.defaultVerb)}; return 1 ;;`],
  );
  return `# bash completion for tongs, made from its command table by: npm run generate
# Use it with: source <(tongs completion bash)

# Goes from a place (path) by a word to the next; fails when the word is an argument.
_tongs_enter() {
  case "$path $1" in
    ' help') help=1 ;;
${lines(steps.map(({ from, typed, to }) => `${typed.map((word) => quoted(`${from} ${word}`)).join(" | ")}) path=${quoted(to)} ;;`))}
${lines(defaultVerb)}
    *) return 1 ;;
  esac
}

# Finds what the value of a flag can be; fails when the flag takes none.
_tongs_value() {
  case "$1" in
${lines(globalCases.map(([keys, content]) => `${keys.join(" | ")}) ${content} ;;`))}
    *)
      case "$path $1" in
${lines(
  flagCases.map(([keys, content]) => `${keys.join(" | ")}) ${content} ;;`),
  8,
)}
        *) return 1 ;;
      esac
      ;;
  esac
}

# Finds what an argument can be, by its position.
_tongs_argument() {
  case "$path $1" in
${lines(argumentCases)}
    *) : ;;
  esac
}

_tongs_verbs() {
  case "$path" in
${lines(nodes.filter((node) => node.verbs.length > 0).map((node) => `${quoted(node.path)}) words=${quoted(node.verbs.map((verb) => verb.name).join(" "))} ;;`))}
    *) return 1 ;;
  esac
}

_tongs_flags() {
  words=${quoted(globals.flatMap(spellings).join(" "))}
  case "$path" in
${lines(
  byContent(
    nodes,
    (node) => node.flags.flatMap(spellings).join(" "),
    (content) => `words="$words "${quoted(content)}`,
  ),
)}
  esac
}

_tongs_fields() {
  case "$path" in
${lines(
  byContent(
    nodes,
    (node) => node.fields.join(" "),
    (content) => `words=${quoted(content)}`,
  ),
)}
    *) return 1 ;;
  esac
}

_tongs() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" path='' flag='' ended='' help='' words='' paths='' count=0 i word
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word="\${COMP_WORDS[i]}"
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
  local previous="\${COMP_WORDS[COMP_CWORD - 1]}" before='' IFS=$' \\t\\n'
  if [[ $flag == '=' ]]; then flag="\${COMP_WORDS[COMP_CWORD - 2]}"; fi
  if [[ -z $flag && $cur == '=' ]]; then flag="$previous"; fi
  if [[ $cur == '=' ]]; then cur=''; fi

  if [[ $flag == '--json' || (-z $flag && $previous == '--json' && $cur != -*) ]] && _tongs_fields; then
    if [[ $cur == *,* ]]; then before="\${cur%,*},"; fi
    COMPREPLY=($(compgen -P "$before" -W "$words" -- "\${cur##*,}"))
    compopt -o nospace 2>/dev/null
    return
  elif [[ -n $flag ]]; then
    _tongs_value "$flag"
  elif [[ -z $ended && $cur == -* ]]; then
    _tongs_flags
  elif _tongs_verbs; then
    if [[ -n $help && -z $path ]]; then words="$words "${quoted(topics.join(" "))}; fi
    if ((count > 0)); then words=''; fi
  else
    _tongs_argument "$count"
  fi

  if [[ -z $paths ]]; then
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    return
  fi
  IFS=$'\\n'
  if [[ $paths == folder ]]; then COMPREPLY=($(compgen -d -- "$cur")); else COMPREPLY=($(compgen -f -- "$cur")); fi
  compopt -o filenames 2>/dev/null
}

complete -F _tongs tongs
`;
}

function spellings(flag: FlagWord): string[] {
  return flag.short === undefined ? [flag.long] : [flag.short, flag.long];
}

/** Sets `words` or `paths`; `:` when nothing is known. */
function offers({ words, paths }: Values): string {
  if (paths !== undefined) return `paths=${paths}`;
  return words.length === 0 ? ":" : `words=${quoted(words.join(" "))}`;
}

function byContent(
  nodes: readonly CompletionNode[],
  content: (node: CompletionNode) => string,
  line: (content: string) => string,
): string[] {
  return grouped(nodes, (node) => quoted(node.path), content).map(
    ([keys, same]) => `${keys.join(" | ")}) ${line(same)} ;;`,
  );
}

function lines(items: readonly string[], indent = 4): string {
  return items.map((item) => " ".repeat(indent) + item).join("\n");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
