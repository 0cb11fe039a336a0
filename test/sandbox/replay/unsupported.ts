import type { Exchange } from "./exchange.ts";

/**
 * Operations that no tongs command uses, or that the sandbox does not need, and server settings it does not support.
 */
const operations: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    /\/(wiki|push_mirrors|push_mirrors-sync|mirror-sync|archive|licenses|languages|activities|subscription|subscribers)\b/,
    "not supported",
  ],
  [/\/repos\/[^/]+\/[^/]+\/(keys|avatar|transfer|generate|notifications|statistics|times)\b/, "not supported"],
  [/\/merge-upstream\b/, "not supported"],
  [/\/repos\/migrate\b|\/topics\/search\b|\/notifications\b|\/attachments\//, "not supported"],
  [/\/(markup|markdown)\b/, "not supported"],
  [/\/(harbor-copy|harbor-mirror)\b|\/pilots\//, "a repository created by an unsupported operation"],
  [/\/user\/(settings|emails|keys|gpg_keys|avatar)\b|\/orgs\/[^/]+\/avatar\b/, "not supported"],
  [/\/admin\/(cron\b(?!\/cleanup_actions)|unadopted\b)/, "not supported"],
];

/** Areas of the API not implemented yet. Remove a line when its area is added. */
const notYet: readonly (readonly [pattern: RegExp, why: string])[] = [];

const settings: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(server|such a server)\b/, "a server with other settings"],
  [/\(server with /, "a server with other settings"],
  [
    /second factor|is_2fa|with the code|same code|wrong code|without the code|needs no code/,
    "two-factor authentication",
  ],
];

/** Why an exchange is not compared; undefined if it is. With `only`, only server settings are checked. */
export function unsupportedReason({ label, request }: Exchange, only?: RegExp): string | undefined {
  const path = request.path.split("?")[0] ?? "";
  const areas = only === undefined ? [...operations, ...notYet] : [];
  const row = settings.find(([pattern]) => pattern.test(label)) ?? areas.find(([pattern]) => pattern.test(path));
  return row?.[1];
}
