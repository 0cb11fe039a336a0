import { diskFailure } from "../failure/disk.ts";
import { Failure } from "../failure/failure.ts";
import type { OutputStream } from "../system/output-stream.ts";
import { sourceStack } from "../system/source-map.ts";
import type { System } from "../system/system.ts";
import { wrapMessage } from "../text/format.ts";
import { jsonText } from "../text/json.ts";
import { safe, safeLine } from "../text/safe.ts";
import { compose, Styled } from "../text/styled.ts";
import { type ColorChoice, openPalettes, type Palette } from "./palette.ts";

/** Prints a failure on stderr, as JSON or as text. */
export async function reportFailure(
  failure: Failure,
  system: System,
  { json, color }: { readonly json: boolean; readonly color?: ColorChoice },
): Promise<void> {
  system.stderr.write(
    json
      ? failureJson(failure)
      : failureText(failure, (await openPalettes(system, color)).stderr, { width: widthOf(system.stderr) }),
  );
}

/** Prints the failure of a monitoring plugin: on stdout as one line, with the hint below it, or as JSON on stderr. */
export async function reportUnknown(
  failure: Failure,
  system: System,
  look: { readonly json: boolean; readonly color?: ColorChoice },
): Promise<void> {
  if (look.json) return reportFailure(failure, system, look);
  // What follows a bar is performance data.
  const hint = failure.hint === undefined ? "" : `${safe(failure.hint)}\n`;
  system.stdout.write(`UNKNOWN - ${safeLine(failure.message)}\n${hint}`.replaceAll("|", "/"));
}

/** Prints the failure of one of several targets on stderr, as JSON or as text. */
export function reportTarget(
  target: string,
  failure: Failure,
  {
    out,
    system,
  }: { readonly out: { readonly records: boolean; readonly notePalette: Palette }; readonly system: System },
): void {
  const width = widthOf(system.stderr);
  system.stderr.write(
    out.records ? failureJson(failure, target) : failureText(failure, out.notePalette, { about: target, width }),
  );
}

/** A failure as one line of JSON for stderr. Absent values are omitted. `target` is the one that failed in a batch. */
export function failureJson(failure: Failure, target?: string): Styled {
  const { code, message, hint, status, method, path, request, fields } = failure;
  return Styled.json(
    `${jsonText({ error: { code, message, hint, status, method, path, request, fields, target } })}\n`,
  );
}

/**
 * A failure as text: what failed and why, then the hint. `about` is the target in a batch. Wrapped at words to `width`
 * columns, if given.
 */
export function failureText(
  failure: Failure,
  palette: Palette,
  { about, width }: { readonly about?: string | undefined; readonly width?: number | undefined } = {},
): Styled {
  const wrapped = (text: string, indent: number) =>
    width === undefined ? text : wrapMessage(text, Math.max(10, width - indent));
  const hint = failure.hint === undefined ? "" : `  ${wrapped(safe(failure.hint), 2).replace(/\n/g, "\n  ")}\n`;
  const target = about === undefined ? "" : `${safe(about)}: `;
  return compose`${palette("bad", "✗")} ${wrapped(`${target}${safe(failure.message)}`, 2).replace(/\n/g, "\n  ")}\n${hint}`;
}

/** The width of a stream in columns if it is a terminal, where text is wrapped. */
export function widthOf(stream: OutputStream): number | undefined {
  return stream.isTTY === true ? stream.columns || 80 : undefined;
}

/** Converts anything thrown to a failure. Anything but failures and file system errors is reported as a bug in tongs. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  const refused = diskFailure(error);
  if (refused !== undefined) return refused;
  const reason = error instanceof Error ? error.message : String(error);
  const stack = error instanceof Error ? error.stack : undefined;
  const hint =
    typeof stack !== "string"
      ? undefined
      : `This is a bug in tongs. Please report it with this stack trace:\n${sourceStack(stack)}`;
  return new Failure("internal", `Unexpected error: ${reason}`, { hint, cause: error });
}
