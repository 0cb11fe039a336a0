import type { ArgWord, CompletionNode, FlagWord, Values, Vocabulary } from "./words.ts";

/** The completion of zsh: a function for each place, with the descriptions of all. */
export function zsh(vocabulary: Vocabulary): string {
  const { nodes, globals, topics } = vocabulary;
  const anywhere = globals.filter((flag) => flag.long !== "--json").flatMap(flagSpecs);
  return `#compdef tongs
# zsh completion for tongs, made from its command table by: npm run generate
# Put it as _tongs into a folder of $fpath, or: source <(tongs completion zsh)

typeset -ga _tongs_anywhere=(
${anywhere.map((spec) => `  ${spec}`).join("\n")}
)

${nodes.map((node) => (node.verbs.length > 0 ? group(node, vocabulary) : command(node))).join("\n")}
_tongs_help() {
  local -a topics=(${topics.map((topic) => quoted(topic)).join(" ")})
  if ((CURRENT == 2)); then _describe -t topics 'topic' topics; fi
  _tongs
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _tongs "$@"
else
  compdef _tongs tongs
fi
`;
}

function group(node: CompletionNode, { nodes, steps }: Vocabulary): string {
  const verbs = node.verbs.map((verb) => quoted(`${verb.name}:${verb.summary.replaceAll(":", "\\:")}`));
  const next = steps
    .filter((step) => step.from === node.path)
    .map((step) => `        ${step.typed.join(" | ")}) ${functionName(step.to)} ;;`);
  if (node.path === "") next.push("        help) _tongs_help ;;");
  const defaultVerb = nodes.find((other) => other.path === node.defaultVerb);
  // An argument stands where the verb would: put the verb before it.
  const fallback =
    defaultVerb === undefined
      ? []
      : [
          `        *) words=(${defaultVerb.path.split(" ").at(-1)} $words); ((CURRENT++)); ${functionName(defaultVerb.path)} ;;`,
        ];
  return `${functionName(node.path)}() {
  local curcontext="$curcontext" context state state_descr line
  local -A opt_args
  local -a verbs=(
${verbs.map((verb) => `    ${verb}`).join("\n")}
  )
  _arguments -C -A '-*' : $_tongs_anywhere '--json[print the whole record as JSON]' '1: :->verb' '*:: :->rest' && return
  case $state in
    verb) _describe -t verbs ${quoted(node.path === "" ? "noun" : "verb")} verbs ;;
    rest)
      case $line[1] in
${[...next, ...fallback].join("\n")}
      esac
      ;;
  esac
}
`;
}

function command(node: CompletionNode): string {
  const fields = `_sequence compadd - ${node.fields.join(" ")}`;
  const json = node.fields.length === 0 ? "--json[print JSON]" : `--json=[${jsonText}]::field:${fields}`;
  // _arguments takes an optional value only behind the =.
  const apart =
    node.fields.length === 0
      ? ""
      : `  if [[ $words[CURRENT-1] == --json && $PREFIX != -* ]]; then ${fields}; return; fi\n`;
  const specs = [quoted(json), ...node.flags.flatMap(flagSpecs), ...node.args.map(argumentSpec)];
  return `${functionName(node.path)}() {
${apart}  _arguments -S : $_tongs_anywhere \\
${specs.map((spec) => `    ${spec}`).join(" \\\n")}
}
`;
}

const jsonText = "print the whole record as JSON, or only these fields";

function flagSpecs(flag: FlagWord): string[] {
  const text = `[${flag.description.replace(/[[\]\\]/g, "\\$&")}]`;
  const value = flag.takes === undefined ? "" : `:${message(flag.takes)}:${action(flag.values)}`;
  const many = flag.repeats ? "*" : "";
  const long = `${many}${flag.long}${flag.takes === undefined ? "" : "="}${text}${value}`;
  if (flag.short === undefined) return [quoted(long)];
  const short = `${many}${flag.short}${flag.takes === undefined ? "" : "+"}${text}${value}`;
  const apart = flag.repeats ? "" : `(${flag.short} ${flag.long})`;
  return [quoted(apart + short), quoted(apart + long)];
}

function argumentSpec(arg: ArgWord, index: number): string {
  const at = arg.many ? "*" : String(index + 1);
  // A mere message in place of words would keep zsh from completing flags here.
  const words = arg.values.words.length === 0 && arg.values.paths === undefined ? "()" : action(arg.values);
  return quoted(`${at}:${arg.optional && !arg.many ? ":" : ""}${message(arg.name)}:${words}`);
}

function action({ words, paths }: Values): string {
  if (paths !== undefined) return paths === "file" ? "_files" : "_files -/";
  return words.length === 0 ? " " : `(${words.join(" ")})`;
}

function message(text: string): string {
  return text.toLowerCase().replaceAll(":", "\\:");
}

function functionName(path: string): string {
  return ["_tongs", ...path.split(" ").filter((word) => word !== "")].join("_").replaceAll("-", "_");
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
