import type { Table } from "../command/table.ts";
import { manPages } from "./man/pages.ts";
import { commandNodes, topicNodes } from "./nodes.ts";
import { referencePages } from "./reference.ts";

/** Generates the man pages and the reference of a command table and of the help topics, by path in the package. */
export async function docFiles(table: Table, version: string): Promise<Record<string, string>> {
  const [nodes, topics] = await Promise.all([commandNodes(table), topicNodes()]);
  const files: Record<string, string> = {};
  for (const [name, page] of Object.entries(manPages(nodes, topics, version))) files[`man/${name}`] = page;
  for (const [name, page] of Object.entries(referencePages(nodes, topics))) files[`docs/reference/${name}`] = page;
  return files;
}
