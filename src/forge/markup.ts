import { text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { UnknownOperationError } from "../http/errors.ts";
import type { MarkupOption } from "./generated/operations.ts";
import { call, operation } from "./operation.ts";

/** How text is rendered: `comment` links references such as #12, `file` picks the renderer by the name of the file. */
export const renderModes = ["markdown", "gfm", "comment", "file"] as const;

/**
 * Renders markup as HTML. Forgejo requires a mode (docs/server-differences.md, "Markup"). `Context` is a path such as
 * `/mara/harbor/src/branch/main`, for links.
 */
export const markupRender = operation("POST", "/markup", { answers: text, effect: "read" });

/** Renders Markdown; `FilePath` is ignored. Kept by servers for clients older than `markupRender`. */
export const markdownRender = operation("POST", "/markdown", { answers: text, effect: "read" });

/** Renders Markdown that is the whole body of the request. */
export const markdownRawRender = operation("POST", "/markdown/raw", { answers: text, effect: "read" });

/**
 * Renders text. Servers without the operation for all kinds of markup have two for Markdown: with a mode and a context, or
 * for text alone.
 */
export async function renderMarkup(http: Http, body: MarkupOption): Promise<Buffer> {
  try {
    return await call(http, markupRender, {}, body);
  } catch (error) {
    if (!(error instanceof UnknownOperationError) || body.Mode === "file") throw error;
    if (body.Mode === "markdown" && body.Context === undefined)
      return call(http, markdownRawRender, {}, undefined, { raw: { content: body.Text ?? "", type: "text/plain" } });
    return call(http, markdownRender, {}, body);
  }
}
