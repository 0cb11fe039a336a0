import { basename } from "node:path";
import { UsageError } from "../../../failure/failure.ts";
import { loadYaml, parseYamlDocument, secondDocument, YamlError } from "../../../text/yaml.ts";
import type { Report } from "./finding.ts";
import { readTemplate } from "./library.ts";
import { actionFiles, type Product } from "./servers.ts";
import { type Workflow, workflowOf } from "./workflow.ts";

/** Reads a workflow or an action and reports what is wrong with its syntax; undefined if nothing can be made of it. */
export async function readWorkflow(
  name: string,
  text: string,
  product: Product | undefined,
  report: Report,
): Promise<Workflow | undefined> {
  try {
    // The parser of workflows has no limits of its own: this one refuses aliases that stand for too many values.
    const document = await parseYamlDocument(text);
    if (document.contents === null) throw new UsageError("The file is empty");
    const { isMap } = await loadYaml();
    const keys = isMap(document.contents) ? document.contents.items.map(({ key }) => String(key)) : [];
    const isNamed = actionFiles.includes(basename(name)) && !keys.includes("on");
    const kind = !keys.includes("jobs") && (keys.includes("runs") || isNamed) ? "action" : "workflow";
    const { root, problems } = await readTemplate(name, text, kind);
    const workflow = root && workflowOf(root, kind);
    // Only composite actions are of steps; the others are not read by their schema, which lacks some programs.
    const isProgram = kind === "action" && workflow?.jobs.length === 0;
    for (const { at, message, severity } of isProgram ? [] : problems) {
      if (severity === "warning") report.warning("syntax", at, message);
      else if (severity === "error" || product === "forgejo") report.error("syntax", at, message);
    }
    return workflow;
  } catch (error) {
    // Parsers recurse.
    const isDeep = error instanceof Error && /call stack/.test(error.message);
    if (isDeep) report.error("syntax", undefined, "The file has too many levels");
    else if (error instanceof YamlError && error.reason === secondDocument)
      report.unchecked("syntax", error, "Servers read only the first YAML document; the file is not checked");
    else if (error instanceof YamlError) report.error("syntax", error, error.reason);
    else if (error instanceof UsageError) report.error("syntax", undefined, error.message);
    else throw error;
    return undefined;
  }
}
