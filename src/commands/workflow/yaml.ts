type Library = typeof import("yaml");

/** Parses YAML, and JSON with it. Throws the library's error. */
export async function parseYaml(text: string): Promise<unknown> {
  // Bundled, the library comes as a default export only.
  const library: Library & { readonly default?: Library } = await import("yaml");
  return (library.default ?? library).parse(text);
}
