import { text } from "../http/answers.ts";
import type { Http } from "../http/client.ts";
import { UnknownOperationError } from "../http/errors.ts";
import { path } from "../http/path.ts";

/** How text is rendered: `comment` links references such as #12, `file` picks the renderer by the name of the file. */
export const renderModes = ["markdown", "gfm", "comment", "file"] as const;
export type RenderMode = (typeof renderModes)[number];

/** The body of `POST /markup`. Forgejo requires a mode (docs/server-differences.md, "Markup"). */
export interface MarkupOption {
  readonly Text: string;
  readonly Mode: RenderMode;
  /** A path such as `/mara/harbor/src/branch/main`, for links. */
  readonly Context?: string | undefined;
  readonly FilePath?: string | undefined;
}

/** Rendering of markup as HTML. */
export function markupApi(http: Http) {
  return {
    render: (body: MarkupOption) => http.post(path`/markup`, { body, answers: text }),

    /** Renders Markdown; `FilePath` is ignored. Kept by servers for clients older than `render`. */
    markdown: (body: MarkupOption) => http.post(path`/markdown`, { body, answers: text }),

    /** Renders Markdown that is the whole body of the request. */
    rawMarkdown: (content: string) =>
      http.post(path`/markdown/raw`, { raw: { content, type: "text/plain" }, answers: text }),
  };
}

/**
 * Renders text. Servers without the operation for all kinds of markup have two for Markdown: with a mode and a context, or
 * for text alone.
 */
export async function renderMarkup(http: Http, body: MarkupOption): Promise<Buffer> {
  try {
    return await markupApi(http).render(body);
  } catch (error) {
    if (!(error instanceof UnknownOperationError) || body.Mode === "file") throw error;
    if (body.Mode === "markdown" && body.Context === undefined) return markupApi(http).rawMarkdown(body.Text);
    return markupApi(http).markdown(body);
  }
}
