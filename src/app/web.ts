import { toggle } from "../command/flags.ts";
import { openPage } from "../output/browser.ts";
import { addressText } from "../profiles/server.ts";
import type { BaseContext } from "./context.ts";

/** The flag of lists that opens their page instead. */
export const webFlag = { web: toggle("open the list in the browser", { short: "w", opensBrowser: true }) };

/** Opens a page in the browser, and says which. */
export async function openInBrowser(page: string, { out, system }: Pick<BaseContext, "out" | "system">): Promise<void> {
  out.note(`Opening ${page} in your browser.`);
  await openPage(system, page);
}

/** The address of a page of the current repository. */
export async function repositoryPage(
  part: string,
  { choose, locate }: Pick<BaseContext, "choose" | "locate">,
): Promise<string> {
  const [server, repo] = [await choose(), await locate()];
  return `${addressText(server.base)}/${encodeURIComponent(repo.owner)}/${encodeURIComponent(repo.name)}/${part}`;
}
