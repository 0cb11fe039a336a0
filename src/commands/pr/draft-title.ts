/** The prefixes that make a draft, in any case: the servers' default; a server may be set to others (api-facts 3.5.3). */
const prefixes = /^(?:WIP:|\[WIP\])\s*/i;

/** Whether a title marks a draft. */
export function isDraftTitle(title: string): boolean {
  return prefixes.test(title);
}

/** The title of a draft. */
export function asDraft(title: string): string {
  return isDraftTitle(title) ? title : `WIP: ${title}`;
}

/** The title without its draft prefixes. */
export function asReady(title: string): string {
  let ready = title;
  while (isDraftTitle(ready)) ready = ready.replace(prefixes, "");
  return ready;
}
