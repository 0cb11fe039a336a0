import { UsageError } from "../failure/failure.ts";
import { decoded, isWellFormed } from "../text/percent.ts";
import { BrokenAnswerError } from "./errors.ts";
import type { Path, Query } from "./path.ts";

/** A request whose answer had a name. */
interface Origin {
  readonly status: number;
  readonly method: string;
  readonly path: string;
}

/** How many texts are remembered. */
const most = 1000;

/**
 * Refuses requests for names with half of a surrogate pair, which no address can have, and remembers which of them the
 * server sent.
 */
export function illFormedNames(server: string) {
  const known: { readonly text: string; readonly field: string; readonly origin: Origin }[] = [];

  function remember(value: unknown, field: string, origin: Origin): void {
    if (known.length >= most) return;
    if (typeof value === "string") {
      if (!isWellFormed(value)) known.push({ text: value, field, origin });
    } else if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) remember(item, `${field}[${index}]`, origin);
    } else if (typeof value === "object" && value !== null) {
      for (const [name, inner] of Object.entries(value))
        remember(inner, field === "" ? name : `${field}.${name}`, origin);
    }
  }

  return {
    /** Looks for such texts in a JSON value. Only an escape can stand for one: `bytes` rarely have it. */
    readIn(value: unknown, bytes: Buffer, origin: Origin): void {
      if (bytes.includes("\\ud") || bytes.includes("\\uD")) remember(value, "", origin);
    },

    /** Throws if the path or the query has such a name: a usage error unless it is the server's. */
    refuse(path: Path, query: Query = {}): void {
      const names = [...path.split(/[/?&=]/).map(decoded), ...Object.values(query).flat().map(String)];
      const name = names.find((one) => !isWellFormed(one));
      if (name === undefined) return;
      const shown = JSON.stringify(name);
      const from = known.find(({ text }) => text === name) ?? known.find(({ text }) => text.includes(name));
      if (from === undefined) throw new UsageError(`${shown} is not valid Unicode`);
      const asked = `${from.origin.method} ${from.origin.path}`;
      const message = `${server} answered ${asked} with a name that is not valid Unicode: ${from.field} is ${shown}`;
      throw new BrokenAnswerError(message, from.origin);
    },
  };
}
