/** What a piece of text means; the palette knows how that looks. */
export type Style = "strong" | "dim" | "good" | "bad" | "warn" | "link" | "merged" | "plain";

/** Turns a meaning into escape codes, or leaves the text alone. */
export type Palette = (style: Style, text: string) => string;

/** Colours off: chalk is not loaded. */
export const noColors: Palette = (_style, text) => text;

/** Colours by chalk. */
export async function colors(): Promise<Palette> {
  const { Chalk } = await import("chalk");
  const chalk = new Chalk({ level: 1 });
  const looks: Record<Style, (text: string) => string> = {
    strong: chalk.bold,
    dim: chalk.dim,
    good: chalk.green,
    bad: chalk.red,
    warn: chalk.yellow,
    link: chalk.cyan,
    merged: chalk.magenta,
    plain: (text) => text,
  };
  return (style, text) => looks[style](text);
}

/** Whether a stream is to be coloured: the flag, then NO_COLOR, CLICOLOR_FORCE, FORCE_COLOR, then the terminal. */
export function wantsColor(
  choice: "auto" | "always" | "never" | undefined,
  env: Readonly<Record<string, string | undefined>>,
  isTerminal: boolean,
): boolean {
  if (choice === "always" || choice === "never") return choice === "always";
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if (env["CLICOLOR_FORCE"] && env["CLICOLOR_FORCE"] !== "0") return true;
  return isTerminal && env["TERM"] !== "dumb" && env["CLICOLOR"] !== "0";
}
