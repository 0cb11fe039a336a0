/** What the recorded server chose itself, and what the sandbox chose in its place; learnt from pairs of answers. */
export interface Names {
  /** Learns from two answers to the same request. */
  learn(path: string, recorded: unknown, actual: unknown): void;
  /** A text of the recording in the sandbox's terms: hashes, and numbers in paths and messages. */
  translate(text: string): string;
  translatePath(path: string): string;
}

const hash = /\b[0-9a-f]{40}\b/g;

export function names(): Names {
  const hashes = new Map<string, string>();
  /** By the collection that they are in (`labels`), since every table counts for itself. */
  const numbers = new Map<string, number>();

  const learnHashes = (recorded: unknown, actual: unknown): void => {
    if (typeof recorded === "string" && typeof actual === "string") {
      const [before, after] = [recorded.match(hash) ?? [], actual.match(hash) ?? []];
      if (before.length === after.length) for (const [at, one] of before.entries()) hashes.set(one, after[at] ?? one);
    } else if (isRecord(recorded) && isRecord(actual)) {
      for (const [key, value] of Object.entries(recorded)) learnHashes(value, actual[key]);
    }
  };

  const learnNumber = (collection: string, recorded: unknown, actual: unknown): void => {
    if (!isRecord(recorded) || !isRecord(actual)) return;
    const [before, after] = [recorded["id"], actual["id"]];
    const key = `${collection}/${String(before)}`;
    if (typeof before === "number" && typeof after === "number" && !numbers.has(key)) numbers.set(key, after);
  };

  /** Items of an envelope that hold the same, and the run that a dispatch started. */
  const learnInside = (
    collection: string,
    recorded: Record<string, unknown>,
    actual: Record<string, unknown>,
  ): void => {
    for (const [key, items] of Object.entries(recorded)) {
      const others = actual[key];
      if (!Array.isArray(items) || !Array.isArray(others) || items.length !== others.length) continue;
      if (["jobs", "workflow_runs", "artifacts"].includes(key)) {
        for (const [at, one] of items.entries()) learnNumber(collection, one, others[at]);
      }
    }
    learnNumber("runs", { id: recorded["workflow_run_id"] }, { id: actual["workflow_run_id"] });
  };

  const numbered = (all: string, collection: string, id = ""): string =>
    all.replace(id, String(numbers.get(`${collection}/${id}`) ?? id));

  return {
    learn(path, recorded, actual) {
      learnHashes(recorded, actual);
      const collection = collectionOf(path);
      if (Array.isArray(recorded) && Array.isArray(actual)) {
        for (const [at, one] of recorded.entries()) learnNumber(collection, one, actual[at]);
      } else learnNumber(collection, recorded, actual);
      if (isRecord(recorded) && isRecord(actual)) learnInside(collection, recorded, actual);
    },
    translate(text) {
      return text
        .replace(hash, (one) => hashes.get(one) ?? one)
        .replace(/\brun with id (\d+)|\bfor run (\d+)/g, (all, id?: string, other?: string) =>
          numbered(all, "runs", id ?? other),
        )
        .replace(/\brun job with id (\d+)/g, (all, id: string) => numbered(all, "jobs", id))
        .replace(/\brepo_id: (\d+)/g, (all, id: string) => all.replace(id, String(numbers.get(`repos/${id}`) ?? id)))
        .replace(/\blabel_id: (\d+)/g, (all, id: string) => all.replace(id, String(numbers.get(`labels/${id}`) ?? id)));
    },
    translatePath(path) {
      const translated = path.replace(hash, (one) => hashes.get(one) ?? one);
      return translated.replace(/\/(\w+)\/(\d+)(?=[/?]|$)/g, (all, collection: string, id: string) => {
        // These are addressed by their number in the repository, which is no id.
        if (collection === "pulls" || collection === "issues") return all;
        const known = numbers.get(`${collection === "repositories" ? "repos" : collection}/${id}`);
        return known === undefined ? all : `/${collection}/${known}`;
      });
    },
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** The collection that the records of a path are in: its last segment that is no number and no name. */
function collectionOf(path: string): string {
  const [, ...parts] = (path.split("?")[0] ?? "").replace("/api/v1", "").split("/");
  if (parts[0] === "repos" && (parts.length === 3 || parts.at(-1) === "forks")) return "repos";
  if (parts.at(-1) === "repos" || parts[0] === "repositories") return "repos";
  return parts.findLast((part) => /^[a-z_]{3,}$/.test(part)) ?? "";
}
