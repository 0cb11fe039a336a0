import type { FlagWord, Vocabulary } from "./words.ts";

/** The completion of PowerShell, Windows PowerShell 5.1 included. */
export function powershell({ nodes, steps, globals, topics }: Vocabulary): string {
  // Where no words are offered PowerShell completes paths by itself.
  const valued = (flags: readonly FlagWord[], path: string) =>
    flags
      .filter((flag) => flag.takes !== undefined && flag.long !== "--json")
      .flatMap((flag) => spellings(flag).map((spelling): Entry => [`${path}${spelling}`, array(flag.values.words)]));
  const defaultVerb = nodes.flatMap((node): Entry[] =>
    node.defaultVerb === undefined ? [] : [[node.path, quoted(node.defaultVerb)]],
  );
  return `# PowerShell completion for tongs, made from its command table by: npm run generate
# Use it with: tongs completion powershell | Out-String | Invoke-Expression

Register-ArgumentCompleter -Native -CommandName tongs -ScriptBlock {
    param($WordToComplete, $CommandAst, $CursorPosition)

${table(
  "Steps",
  steps.flatMap(({ from, typed, to }) => typed.map((word): Entry => [`${from} ${word}`, quoted(to)])),
)}
${table("Usual", defaultVerb)}
${table(
  "Verbs",
  nodes
    .filter((node) => node.verbs.length > 0)
    .map((node): Entry => [node.path, pairs(node.verbs.map((verb) => [verb.name, verb.summary]))]),
)}
    $Anywhere = ${pairs(flagEntries(globals))}
${table(
  "Flags",
  nodes.filter((node) => node.flags.length > 0).map((node): Entry => [node.path, pairs(flagEntries(node.flags))]),
)}
${table("Values", [...valued(globals, ""), ...nodes.flatMap((node) => valued(node.flags, `${node.path} `))])}
${table(
  "Arguments",
  nodes.flatMap((node) =>
    node.args.flatMap((arg, index): Entry[] =>
      arg.values.words.length === 0 ? [] : [[`${node.path} ${index}`, array(arg.values.words)]],
    ),
  ),
)}
${table(
  "Fields",
  nodes.filter((node) => node.fields.length > 0).map((node): Entry => [node.path, array(node.fields)]),
)}

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
        if ($Help -and $Path -eq '') { $Found += ${array(topics)} }
    }
    else { $Found = $Arguments["$Path $Count"] }

    foreach ($Item in @($Found)) {
        if (-not $Item) { continue }
        $Name, $Text = $Item -split "\`t", 2
        if (-not $Name.StartsWith($Current)) { continue }
        if (-not $Text) { $Text = $Name }
        [System.Management.Automation.CompletionResult]::new("$Before$Name", $Name, 'ParameterValue', $Text)
    }
}
`;
}

type Entry = [key: string, value: string];

/** A table that tells -r from -R, which a literal one does not. */
function table(name: string, entries: readonly Entry[]): string {
  const filled = entries.map(([key, value]) => `    $${name}[${quoted(key)}] = ${value}`);
  return [`    $${name} = New-Object System.Collections.Hashtable ([StringComparer]::Ordinal)`, ...filled].join("\n");
}

function flagEntries(flags: readonly FlagWord[]): [string, string][] {
  return flags.flatMap((flag) => spellings(flag).map((spelling): [string, string] => [spelling, flag.description]));
}

function spellings(flag: FlagWord): string[] {
  return flag.short === undefined ? [flag.long] : [flag.short, flag.long];
}

/** Each item is a word and, after a tab, what it means. */
function pairs(items: readonly (readonly [string, string])[]): string {
  return `@(${items.map(([word, text]) => `"${word}\`t${text.replace(/[`"$]/g, "`$&")}"`).join(", ")})`;
}

function array(words: readonly string[]): string {
  return `@(${words.map(quoted).join(", ")})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
