import type { SourceMap } from "node:module";

/**
 * A stack trace with the files and lines of the sources, by the source maps beside the files of `dist`; unchanged where
 * there are none. The maps are read here only, so that no other run waits for them.
 */
export function sourceStack(stack: string): string {
  const maps = new Map<string, SourceMap | undefined>();
  return stack.replace(
    /(?<=\(|at (?:async )?)((?!async )[^()\n]+\.js):(\d+):(\d+)/g,
    (place, file: string, line: string, column: string) => {
      if (!maps.has(file)) maps.set(file, readMap(`${file}.map`));
      const entry = maps.get(file)?.findEntry(Number(line) - 1, Number(column) - 1);
      if (entry === undefined || !("originalSource" in entry)) return place;
      // Undefined, whatever its type says, where the bundler wrote code of its own.
      const { originalSource }: { originalSource?: string } = entry;
      if (originalSource === undefined) return place;
      const source = originalSource.replace(/^(\.\.\/)+/, "");
      return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
    },
  );
}

function readMap(file: string): SourceMap | undefined {
  const { SourceMap } = process.getBuiltinModule("node:module");
  try {
    return new SourceMap(JSON.parse(process.getBuiltinModule("node:fs").readFileSync(file, "utf8")));
  } catch {
    return undefined;
  }
}
