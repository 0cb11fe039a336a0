import { screen } from "../support/screen.ts";
import type { Terminal } from "./terminal.ts";

/** What a finished command left on the terminal, line by line, without the sign that a request takes long. */
export async function lastScreen(terminal: Terminal): Promise<string> {
  await terminal.ended;
  return screenOf(terminal.written());
}

/** What a terminal shows after this output. */
export function screenOf(written: string): string {
  const text = written.replace(/\r[⠀-⣿] Waiting for the server/g, "").replace(/\u001b\[\?\d+[hl]/g, "");
  return screen(text)
    .map((line) => line.trimEnd())
    .join("\n");
}

/** A screen without what differs from run to run. */
export function settled(shown: string, places: Readonly<Record<string, string>>): string {
  let text = shown;
  for (const [place, name] of Object.entries(places)) text = text.replaceAll(place, name);
  return text
    .replace(/\b[0-9a-f]{10,40}\b/g, "COMMIT")
    .replace(/\d+ (second|minute|hour|day|month|year)s? ago|just now/g, "some time ago")
    .replace(/\(\d+s\)/g, "(SOME s)")
    .replace(/[⠀-⣿] /g, "");
}
