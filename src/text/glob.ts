/**
 * Compiles a glob for check names with the syntax of Gitea and Forgejo (gobwas/glob without separators): `*` and `**`
 * match anything, `?` one character, `[ab]` and `[!ab]` sets, `{a,b}` alternatives, and `\` escapes. An invalid pattern
 * matches only itself.
 */
export function contextPattern(glob: string): (context: string) => boolean {
  let source = "";
  let depth = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob[at] ?? "";
    const set = character === "[" ? /^\[(!?)([^\]]+)\]/.exec(glob.slice(at)) : null;
    if (set) {
      source += `[${set[1] === "!" ? "^" : ""}${(set[2] ?? "").replace(/[\\\]^]/g, "\\$&")}]`;
      at += set[0].length - 1;
    } else if (character === "\\" && at + 1 < glob.length) {
      at += 1;
      source += literal(glob[at] ?? "");
    } else if (character === "*") source += "[^]*";
    else if (character === "?") source += "[^]";
    else if (character === "{") {
      depth += 1;
      source += "(?:";
    } else if (character === "}" && depth > 0) {
      depth -= 1;
      source += ")";
    } else if (character === "," && depth > 0) source += "|";
    else source += literal(character);
  }
  if (depth > 0) return (context) => context === glob;
  try {
    const pattern = new RegExp(`^${source}$`, "u");
    return (context) => pattern.test(context);
  } catch {
    return (context) => context === glob;
  }
}

function literal(character: string): string {
  return character.replace(/[.*+?^${}()|[\]\\/]/, "\\$&");
}
