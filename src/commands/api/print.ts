import type { BaseContext } from "../../app/context.ts";
import { BrokenAnswerError } from "../../http/errors.ts";
import { parseJson } from "../../text/json.ts";

type Printing = Pick<BaseContext, "out" | "system">;

/** The status line and the headers of an answer, as the server sent them. */
export async function printHead(
  status: number,
  headers: Readonly<Record<string, string | undefined>>,
  { out }: Printing,
): Promise<void> {
  const { STATUS_CODES } = await import("node:http");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\n`);
  await out.text(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\n${lines.join("")}\n`);
}

/** The body byte for byte, made safe where it goes to a terminal; or its records. */
export async function printBody(bytes: Buffer, about: { status: number; method: string; path: string }, to: Printing) {
  const { out, system } = to;
  if (out.records) return printValue(await jsonOf(bytes, about), to);
  if (system.stdout.isTTY !== true) return out.raw(bytes);
  const text = bytes.toString("utf8");
  return out.text(text === "" || text.endsWith("\n") ? text : `${text}\n`);
}

async function printValue(value: unknown, { out }: Printing): Promise<void> {
  const lines = out.format === "jsonl" || out.format === "csv";
  if (Array.isArray(value) && lines) await out.items(value);
  else await out.record(value, () => ({ fields: [] }));
}

async function jsonOf(bytes: Buffer, about: { status: number; method: string; path: string }): Promise<unknown> {
  if (bytes.length === 0) return null;
  try {
    return await parseJson(bytes.toString("utf8"));
  } catch {
    throw new BrokenAnswerError("The answer is not JSON", { ...about, hint: "Without --json it is printed as it is." });
  }
}
