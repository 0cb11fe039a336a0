import type { Document } from "yaml";

type Library = typeof import("yaml");

/** Loads the YAML library. */
export async function loadYaml(): Promise<Library> {
  // In the bundle, the library has only a default export.
  const library: Library & { readonly default?: Library } = await import("yaml");
  return library.default ?? library;
}

/** Text that is not valid YAML: what is wrong, and where; line and column are from 1. */
export class YamlError extends Error {
  override readonly name = "YamlError";
  constructor(
    readonly reason: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`${reason} at line ${line}, column ${column}`);
  }
}

/** The first document of a text of several, and the place of the second, from 1; of one, the text. */
export async function firstDocument(
  text: string,
): Promise<{ readonly text: string; readonly next?: { readonly line: number; readonly column: number } }> {
  const { LineCounter, parseAllDocuments } = await loadYaml();
  const lineCounter = new LineCounter();
  const [first, second] = parseAllDocuments(text, { logLevel: "error", uniqueKeys: false, lineCounter });
  if (first === undefined || second === undefined) return { text };
  const { line, col } = lineCounter.linePos(second.range[0]);
  return { text: text.slice(0, first.range[2]), next: { line, column: col } };
}

/**
 * Parses YAML 1.2, which includes JSON, as a document of the library. Throws a `YamlError`, which says why in one line, if
 * it is not valid or a map has a key twice. For some texts the time grows with the square of their length.
 */
export async function parseYamlDocument(text: string): Promise<Document> {
  const library = await loadYaml();
  const lines = new library.LineCounter();
  const fail = (message: string, offset: number): never => {
    const { line, col } = lines.linePos(offset);
    throw new YamlError(message, line, col);
  };
  // The library prints its warnings on stderr itself, and compares each key of a map with all others.
  const settings = { logLevel: "error", prettyErrors: false, uniqueKeys: false, lineCounter: lines } as const;
  const document = library.parseDocument(text, settings);
  const [problem] = document.errors;
  if (problem?.code === "MULTIPLE_DOCS") fail("A second YAML document", problem.pos[0]);
  if (problem !== undefined) fail(problem.message, problem.pos[0]);
  const anchors = new Set<string>();
  library.visit(document, {
    Alias(_, { source, range }) {
      if (!anchors.has(source))
        fail(`alias *${source} has no anchor; put text that begins with * in quotes`, range?.[0] ?? 0);
    },
    Value(_, { anchor }) {
      if (anchor !== undefined) anchors.add(anchor);
    },
  });
  library.visit(document, {
    Map(_, { items }) {
      const seen = new Set<unknown>();
      for (const { key } of items) {
        if (!library.isScalar(key)) continue;
        if (seen.has(key.value)) fail("Map keys must be unique", key.range?.[0] ?? 0);
        seen.add(key.value);
      }
    },
  });
  return document;
}
