import { defineCommand } from "../../app/define.ts";
import { repoPage } from "../../app/web.ts";
import { one } from "../../command/args.ts";
import { text } from "../../command/flags.ts";
import { Failure } from "../../failure/failure.ts";
import { content, contentBytes, contentsGet, lfsPointer, rawFileGet } from "../../forge/contents.ts";
import { call } from "../../forge/operation.ts";
import { contentsRef } from "../../forge/resolve-commit.ts";
import { sizeText } from "../../text/format.ts";
import { Styled } from "../../text/styled.ts";
import { refPath } from "../ref-path.ts";
import { notAFile } from "./not-a-file.ts";
import { repositoryPath } from "./shared.ts";

/** `tongs file view`: GET a file, and its bytes by `raw` if the record has none, as for large files. */
export const view = defineCommand({
  summary: "Print a file of a repository",
  details: "On a terminal, the file is shown in the pager. In a pipe, the bytes are printed unchanged.",
  on: "repository",
  effect: "read",
  args: { path: one("path of the file in the repository") },
  flags: { ref: text("branch, tag or commit (default: the default branch)", { placeholder: "REF", source: "ref" }) },
  exits: { failure: "the path is not a file, or is a binary file on a terminal" },
  output: content,
  examples: [
    ["Print a file", "tongs file view README.md"],
    ["Save a file of a tag", "tongs file view src/main.ts --ref v1.0 > main.ts"],
  ],
  web: {
    page: async (context) =>
      repoPage(context.repo, "src", await refPath(context.flags.ref, context), repositoryPath(context.args.path)),
    uses: ["ref"],
  },
  async run(context) {
    const { args, flags, http, repo, out } = context;
    const path = repositoryPath(args.path);
    const ref = await contentsRef(flags.ref, context);
    const found = await call(http, contentsGet, { repo, filepath: path, ref });
    if (!("path" in found)) throw notAFile({ path, type: "dir", target: undefined });
    if (found.type !== "file") throw notAFile(found);
    if (out.records) return out.record(found, () => ({ fields: [] }));
    const bytes = contentBytes(found);
    const pointer = bytes && lfsPointer(bytes);
    if (pointer !== undefined) {
      out.note(`${path} is a Git LFS pointer to ${sizeText(pointer.size)}. Get the file: tongs file get ${path} --lfs`);
    }
    const pieces = bytes === undefined ? (await call(http, rawFileGet, { repo, filepath: path, ref })).body : [bytes];
    if (!out.terminal) {
      for await (const piece of pieces) await out.raw(piece);
      return;
    }
    const { showLines } = await import("../../output/show-lines.ts");
    await showLines(textOnly(pieces, path), (line) => Styled.plain(line), context);
  },
});

/** The pieces of a text file. Throws if the first one has a NUL byte. */
async function* textOnly(pieces: AsyncIterable<Buffer> | readonly Buffer[], path: string): AsyncGenerator<Buffer> {
  let checked = false;
  for await (const piece of pieces) {
    if (!checked && piece.subarray(0, 8000).includes(0)) {
      throw new Failure("binary_file", `${path} is a binary file`, {
        hint: `Redirect the output, or save the file: tongs file get ${path}`,
      });
    }
    checked = true;
    yield piece;
  }
}
