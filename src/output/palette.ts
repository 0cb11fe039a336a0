import type { OutputStream } from "../system/output-stream.ts";
import type { System } from "../system/system.ts";
import { Styled } from "../text/styled.ts";

/** The meaning of a text; the palette maps it to a color. */
export type Style = "strong" | "dim" | "good" | "bad" | "warn" | "link" | "merged" | "plain";

/** Styles a text with escape codes, or without. */
export type Palette = (style: Style, text: string) => Styled;

/** No colors. */
export const noColors: Palette = (_style, text) => Styled.plain(text);

/** Colors by chalk, which is loaded on first use. */
async function colors(): Promise<Palette> {
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
  return (style, text) => Styled.painted(text, looks[style]);
}

/** The value of `--color`. */
export type ColorChoice = "auto" | "always" | "never" | undefined;

/** The palettes of stdout and stderr. */
export interface Palettes {
  readonly stdout: Palette;
  readonly stderr: Palette;
}

/** Opens the palettes of stdout and stderr. This is the only place that decides about color. */
export async function openPalettes({ env, stdout, stderr }: System, choice?: ColorChoice): Promise<Palettes> {
  const paletteOf = async (stream: OutputStream) =>
    wantsColor(choice, env, stream.isTTY === true) ? colors() : noColors;
  return { stdout: await paletteOf(stdout), stderr: await paletteOf(stderr) };
}

/** Whether to color a stream: `--color`, then NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, then whether it is a terminal. */
function wantsColor(
  choice: ColorChoice,
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
