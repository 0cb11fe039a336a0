import type { System } from "../context.ts";

/** Prints help; its headings stand out on a terminal, the text itself is the same everywhere. */
export function showHelp(text: string, { stdout, env }: System): void {
  const bold = stdout.isTTY === true && !env["NO_COLOR"] && env["TERM"] !== "dumb";
  stdout.write(bold ? text.replace(/^[A-Z][A-Z ]+$/gm, "\u001b[1m$&\u001b[22m") : text);
}
