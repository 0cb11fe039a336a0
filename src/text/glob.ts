/**
 * Compiles a glob for check names with the syntax of Gitea and Forgejo (gobwas/glob without separators): `*` and `**`
 * match anything, `?` one character, `[ab]` and `[!ab]` sets, `{a,b}` alternatives, and `\` escapes. An invalid pattern
 * matches only itself. It never backtracks: at worst it takes time in proportion to the product of both lengths.
 */
export function contextPattern(glob: string): (context: string) => boolean {
  const states = compile(glob, "");
  return states === undefined ? (context) => context === glob : (context) => accepts(states, context);
}

/** Whether a pattern for names is valid: no bracket or brace is left open, no set is empty or in the wrong order. */
export function isPattern(glob: string): boolean {
  const bare = glob.replace(/\\.|\[!?[^\]]+\]/gsu, "");
  return glob !== "" && !/[[\\]/.test(bare) && compile(glob, "") !== undefined;
}

/**
 * Compiles the patterns of protected files, separated by semicolons, as Gitea and Forgejo match them: in any case, and with
 * `.` and `/` as separators, which only `**` matches (docs/server-differences.md, "Pull requests: merging"). Invalid
 * patterns match nothing.
 */
export function filePatterns(patterns: string): (file: string) => boolean {
  const globs = patterns.toLowerCase().split(";");
  const compiled = globs.flatMap((glob) => {
    const states = glob.trim() === "" ? undefined : compile(glob.trim(), "./");
    return states === undefined ? [] : [states];
  });
  return (file) => compiled.some((states) => accepts(states, file.toLowerCase()));
}

/** Compiles the rule of a branch protection: a name in any case, or a pattern with `/` as separator. */
export function branchPattern(rule: string): (branch: string) => boolean {
  const states = compile(rule, "/");
  return (branch) => branch.toLowerCase() === rule.toLowerCase() || (states !== undefined && accepts(states, branch));
}

/** A state of the automaton for a pattern (Thompson's construction). */
interface State {
  /** Whether it accepts a character. Without it the states after it are reached at once. */
  readonly accepts?: (character: string) => boolean;
  /** Which characters it also accepts, any number of times. */
  readonly repeats?: (character: string) => boolean;
  /** The indexes of the states after it. */
  readonly next: number[];
}

/** The states from the start, which is the first, to the end, which is the last; undefined if the pattern is invalid. */
function compile(glob: string, separators: string): readonly State[] | undefined {
  const anyButSeparators = (character: string) => !separators.includes(character);
  const states: State[] = [{ next: [] }];
  const groups: { readonly start: number; readonly ends: number[] }[] = [];
  let last = 0;
  const add = (state: Omit<State, "next">, before: readonly number[] = [last]) => {
    last = states.push({ ...state, next: [] }) - 1;
    for (const index of before) states[index]?.next.push(last);
  };
  const literal = (expected: string) => add({ accepts: (character) => character === expected });

  const characters = [...glob];
  const lastBracket = characters.lastIndexOf("]");
  for (let at = 0; at < characters.length; at += 1) {
    const character = characters[at] ?? "";
    const group = groups.at(-1);
    const bracket = character === "[" && at < lastBracket ? characters.indexOf("]", at) : 0;
    if (bracket > at + 1) {
      const isNegated = characters[at + 1] === "!" && bracket > at + 2;
      const accepts = setOf(characters.slice(isNegated ? at + 2 : at + 1, bracket), isNegated);
      if (accepts === undefined) return undefined;
      add({ accepts });
      at = bracket;
    } else if (character === "\\" && at + 1 < characters.length) {
      at += 1;
      literal(characters[at] ?? "");
    } else if (character === "*") {
      const isDouble = characters[at + 1] === "*";
      if (isDouble) at += 1;
      add({ repeats: isDouble ? () => true : anyButSeparators });
    } else if (character === "?") add({ accepts: anyButSeparators });
    else if (character === "{") {
      add({});
      groups.push({ start: last, ends: [] });
    } else if (character === "," && group !== undefined) {
      group.ends.push(last);
      last = group.start;
    } else if (character === "}" && group !== undefined) {
      add({}, [...group.ends, last]);
      groups.pop();
    } else literal(character);
  }
  add({});
  return groups.length === 0 ? states : undefined;
}

/** Whether a character is in the set between brackets; undefined if the set is invalid (`z-a`). */
export function setOf(characters: readonly string[], isNegated: boolean): ((character: string) => boolean) | undefined {
  const content = characters.join("");
  try {
    const set = new RegExp(`^[${isNegated ? "^" : ""}${content.replace(/[\\\]^]/g, "\\$&")}]$`, "u");
    return (character) => set.test(character);
  } catch {
    return undefined;
  }
}

/** Whether the end is reached with the last character of the text, by way of all states at once. */
function accepts(states: readonly State[], text: string): boolean {
  // The step in which each state was reached last: no step looks at a state twice.
  const reached = new Uint32Array(states.length);
  let step = 0;
  let current: number[] = [];

  /** Adds states, and those that are reached from them at once. */
  function reach(indexes: readonly number[]): void {
    const open = [...indexes];
    for (let index = open.pop(); index !== undefined; index = open.pop()) {
      if (reached[index] === step) continue;
      reached[index] = step;
      current.push(index);
      const { accepts, next } = states[index] ?? { next: [] };
      if (accepts === undefined) for (const after of next) open.push(after);
    }
  }

  step += 1;
  reach([0]);
  for (const character of text) {
    const before = current;
    current = [];
    step += 1;
    for (const index of before) {
      const state = states[index];
      if (state?.repeats?.(character)) reach([index]);
      else if (state?.accepts?.(character)) reach(state.next);
    }
    if (current.length === 0) return false;
  }
  return reached[states.length - 1] === step;
}
