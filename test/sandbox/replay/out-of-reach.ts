import type { Exchange } from "./exchange.ts";

/** Operations that no command of tongs sends, or that the sandbox has no use for; and server settings it cannot have. */
const operations: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    /\/(wiki|push_mirrors|push_mirrors-sync|mirror-sync|releases|archive|licenses|languages|activities|subscription|subscribers)\b/,
    "second wave",
  ],
  [/\/repos\/[^/]+\/[^/]+\/(keys|avatar|transfer|generate|notifications|statistics|times)\b/, "second wave"],
  [/\/issues\/(pinned|\d+\/(lock|blocks|pin))\b/, "second wave"],
  [/\/actions\/(variables|secrets)\b/, "second wave"],
  [/\/(issue_config|issue_templates|merge-upstream|new_pin_allowed)\b/, "second wave"],
  [/\/repos\/migrate\b|\/topics\/search\b|\/notifications\b|\/attachments\//, "second wave"],
  [/\/(markup|markdown)\b/, "second wave"],
  [/\/(harbor-copy|harbor-mirror)\b|\/pilots\//, "of a repository that second-wave operations made"],
  [/\/user\/(settings|emails|keys|gpg_keys|avatar)\b|\/orgs\/[^/]+\/avatar\b/, "second wave"],
  [/\/admin\/(cron\b(?!\/cleanup_actions)|unadopted\b)/, "second wave"],
];

/** Areas of the API that are not there yet; each line goes with the area's coming. */
const notYet: readonly (readonly [pattern: RegExp, why: string])[] = [];

const settings: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(server|such a server)\b/, "a server with other settings"],
  [/\(server with /, "a server with other settings"],
  [/second factor|is_2fa|with the code|same code|wrong code|without the code|needs no code/, "second factors"],
];

/** Why an exchange is not compared; nothing when it is. Those asked for by `only` are of no other area. */
export function outOfReach({ label, request }: Exchange, only?: RegExp): string | undefined {
  const path = request.path.split("?")[0] ?? "";
  const areas = only === undefined ? [...operations, ...notYet] : [];
  const row = settings.find(([pattern]) => pattern.test(label)) ?? areas.find(([pattern]) => pattern.test(path));
  return row?.[1];
}
