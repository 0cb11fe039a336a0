import type { Document } from "yaml";

type Library = typeof import("yaml");

/** Loads the YAML library. */
export async function loadYaml(): Promise<Library> {
  // In the bundle, the library has only a default export.
  const library: Library & { readonly default?: Library } = await import("yaml");
  return library.default ?? library;
}

/**
 * Parses YAML 1.2, which includes JSON, as a document of the library. Throws an error that says why in one line, with the
 * place, if it is not valid or a map has a key twice. For some texts the time grows with the square of their length.
 */
export async function parseYamlDocument(text: string): Promise<Document> {
  const library = await loadYaml();
  const lines = new library.LineCounter();
  const fail = (message: string, offset: number): never => {
    const { line, col } = lines.linePos(offset);
    throw new Error(`${message} at line ${line}, column ${col}`);
  };
  // The library prints its warnings on stderr itself, and compares each key of a map with all others.
  const settings = { logLevel: "error", prettyErrors: false, uniqueKeys: false, lineCounter: lines } as const;
  const document = library.parseDocument(text, settings);
  const [problem] = document.errors;
  if (problem?.code === "MULTIPLE_DOCS") fail("A second YAML document", problem.pos[0]);
  if (problem !== undefined) fail(problem.message, problem.pos[0]);
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
