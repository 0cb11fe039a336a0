import { type CompletionNode, type FlagWord, grouped, type Values, type Vocabulary } from "./words.ts";

/** The completion of fish: one function that finds the place and lists what fits there. */
export function fish({ nodes, steps, globals, topics }: Vocabulary): string {
  const globalValues = globals.filter((flag) => flag.takes !== undefined && flag.long !== "--json");
  const flagValues = grouped(
    nodes.flatMap((node) => node.flags.filter((flag) => flag.takes !== undefined).map((flag) => ({ node, flag }))),
    ({ node, flag }) =>
      spellings(flag)
        .map((spelling) => quoted(`${node.path} ${spelling}`))
        .join(" "),
    ({ flag }) => offers(flag.values),
  );
  const defaultVerb = nodes.flatMap((node) =>
    node.defaultVerb === undefined
      ? []
      : [`case ${quoted(`${node.path} *`)}`, `    echo ${quoted(node.defaultVerb)}`, "    return 1"],
  );
  return `# fish completion for tongs, made from its command table by: npm run generate
# Put it into ~/.config/fish/completions/, or: tongs completion fish | source

# From a place by a word to the next; fails when the word is an argument.
function __tongs_enter
    switch "$argv[1] $argv[2]"
${lines(steps.flatMap(({ from, typed, to }) => [`case ${typed.map((word) => quoted(`${from} ${word}`)).join(" ")}`, `    echo ${quoted(to)}`]))}
${lines([...defaultVerb, "case '*'", "    echo $argv[1]", "    return 1"])}
    end
end

# What the value of a flag can be; fails when the flag takes none.
function __tongs_value
    switch "$argv[2]"
${lines(
  grouped(
    globalValues,
    (flag) => spellings(flag).join(" "),
    (flag) => offers(flag.values),
  ).flatMap(caseOf),
)}
        case '*'
            switch "$argv[1] $argv[2]"
${lines([...flagValues.flatMap(caseOf), "case '*'", "    return 1"], 16)}
            end
    end
    return 0
end

function __tongs_argument
    switch "$argv[1] $argv[2]"
${lines(nodes.flatMap((node) => node.args.flatMap((arg, index) => (offers(arg.values) === "true" ? [] : caseOf([[quoted(`${node.path} ${arg.many ? "*" : index}`)], offers(arg.values)])))))}
    end
end

function __tongs_verbs
    switch "$argv[1]"
${lines(nodes.filter((node) => node.verbs.length > 0).flatMap((node) => caseOf([[quoted(node.path)], described(node.verbs.map((verb) => [verb.name, verb.summary]))])))}
        case '*'
            return 1
    end
end

function __tongs_flags
    ${described(flagEntries(globals))}
    switch "$argv[1]"
${lines(nodeCases(nodes, (node) => (node.flags.length === 0 ? "" : described(flagEntries(node.flags)))))}
    end
end

function __tongs_fields
    switch "$argv[1]"
${lines(nodeCases(nodes, (node) => (node.fields.length === 0 ? "" : `printf '%s\\n' ${node.fields.join(" ")}`)))}
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
            printf '%s\\n' "$before$already"$fields
            return
        end
    end
    if test -n "$flag"
        for value in (__tongs_value "$path" $flag)
            printf '%s%s\\n' $before $value
        end
    else if test -z "$ended"; and string match -q -- '-*' $current
        __tongs_flags "$path"
    else if __tongs_verbs "$path" >/dev/null
        test $count -eq 0; or return
        __tongs_verbs "$path"
        if test -n "$helping" -a -z "$path"
            printf '%s\\n' ${topics.join(" ")}
        end
    else
        __tongs_argument "$path" $count
    end
end

complete -c tongs -f
complete -c tongs -f -a '(__tongs_complete)'
`;
}

function flagEntries(flags: readonly FlagWord[]): [string, string][] {
  return flags.flatMap((flag) => spellings(flag).map((spelling): [string, string] => [spelling, flag.description]));
}

function described(entries: readonly (readonly [string, string])[]): string {
  return `printf '%s\\t%s\\n' ${entries.map(([word, text]) => `${word} ${quoted(text)}`).join(" ")}`;
}

function spellings(flag: FlagWord): string[] {
  return flag.short === undefined ? [flag.long] : [flag.short, flag.long];
}

/** The command that prints what fits; `true` when nothing is known. */
function offers({ words, paths }: Values): string {
  if (paths !== undefined)
    return `__fish_complete_${paths === "file" ? "path" : "directories"} (commandline -ct | string replace -r '^--[^=]*=' '')`;
  return words.length === 0 ? "true" : `printf '%s\\n' ${words.map(quoted).join(" ")}`;
}

function nodeCases(nodes: readonly CompletionNode[], content: (node: CompletionNode) => string): string[] {
  return grouped(nodes, (node) => quoted(node.path), content).flatMap(caseOf);
}

function caseOf([keys, content]: readonly [readonly string[], string]): string[] {
  return [`case ${keys.join(" ")}`, `    ${content}`];
}

function lines(items: readonly string[], indent = 8): string {
  return items.map((item) => " ".repeat(indent) + item).join("\n");
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, "\\$&")}'`;
}
