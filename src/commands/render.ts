import { defineCommand } from "../app/define.ts";
import { readFileFlag } from "../app/input.ts";
import { optional } from "../command/args.ts";
import { choiceOr, text } from "../command/flags.ts";
import { UsageError } from "../failure/failure.ts";
import { renderMarkup, renderModes } from "../forge/markup.ts";
import { string } from "../shape/shape.ts";

/** `tongs render`: POST /markup, which renders text as the server shows it. */
export const render = defineCommand({
  summary: "Render Markdown and other markup as HTML, on the server",
  details:
    "Mode comment links references such as #12, which needs --context. Mode file selects the renderer by the name of the " +
    "file: Markdown, CSV, Org mode and others that the server has.",
  on: "server",
  effect: "read",
  args: { file: optional("file to render (default: stdin)", { dash: "stdin", names: "input file" }) },
  flags: {
    mode: choiceOr(renderModes, "markdown", "how to render", { placeholder: "MODE" }),
    context: text("path that links are relative to: /OWNER/NAME or /OWNER/NAME/src/branch/BRANCH", {
      placeholder: "PATH",
    }),
    filename: text("with --mode file, the name that picks the renderer (default: FILE)", { placeholder: "NAME" }),
  },
  output: string,
  examples: [
    ["Render a file", "tongs render README.md --context /mara/harbor"],
    ["Render a comment", "echo 'Fixes #12' | tongs render --mode comment --context /mara/harbor"],
  ],
  async run({ args, flags, http, out, system }) {
    const file = args.file ?? "-";
    const Text = await readFileFlag("FILE", file, system);
    const name = flags.filename ?? (file === "-" ? undefined : file);
    if (flags.mode === "file" && name === undefined) throw new UsageError("--mode file requires FILE or --filename");
    const html = await renderMarkup(http, {
      Text,
      Mode: flags.mode,
      Context: flags.context,
      FilePath: flags.mode === "file" ? name : undefined,
    });
    const text = html.toString("utf8");
    if (out.records) await out.record(text, () => ({ fields: [] }));
    else await out.raw(text);
  },
});
