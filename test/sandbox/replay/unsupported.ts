import type { Exchange } from "./exchange.ts";

/**
 * Operations that no tongs command tries on the sandbox, or that it does not need, and server settings it does not
 * support.
 */
const operations: readonly (readonly [pattern: RegExp, why: string])[] = [
  [
    /\/(wiki|push_mirrors|push_mirrors-sync|mirror-sync|archive|licenses|languages|activities|heatmap|activitypub)\b/,
    "not supported",
  ],
  [/\/repos\/[^/]+\/[^/]+\/(keys|avatar|transfer|generate|statistics|times|editorconfig)\b/, "not supported"],
  [/\/repos\/[^/]+\/[^/]+\/git\/(notes|refs|trees|blobs|tags)\b/, "not supported"],
  [/\/(issues|pulls)\/(\d+\/(pin|dependencies|blocks)|pinned)\b|\/new_pin_allowed$/, "not supported"],
  [/\/user\/blocks\b|\/badges$|^\w+ \/api\/packages\/|\/v1\/packages\//, "not supported"],
  [/\/contents-ext\b|\/hooks\/git\b|^GET .*\/admin\/users\/[^/]+\/orgs$|^DELETE .*\/releases\/tags\//, "not supported"],
  [/^\w+ .*\/issues\/comments\/\d+\/assets\/\d+$|^POST \/api\/v1\/org\//, "not supported"],
  [/\/(reactions|stopwatch|stopwatches|timeline|deadline)\b/, "not supported"],
  [/\/issues\/(\d+|comments\/\d+)\/(subscriptions|times)\b|\/assignees\/|\/user\/times\b/, "not supported"],
  [/\/issues\/\d+\/comments\/\d+/, "a deprecated path"],
  [/\/comments\/\d+\/(replies|resolve|unresolve)$/, "not supported"],
  [/\/repos\/migrate\b|\/topics\/search\b|\/attachments\//, "not supported"],
  [/\/gitignore\/templates\b|\/v1\/swagger$/, "not supported"],
  [/\/(markup|markdown)\b|\/-\/(link|unlink|latest)\b|\/signing-key\.(gpg|pub)$/, "not supported"],
  [
    /\/(harbor-copy|harbor-mirror)\b|\/v1\/repos\/pilots\/compass\b/,
    "a repository created by an unsupported operation",
  ],
  [/\/user\/(settings|gpg_keys|gpg_key_token|gpg_key_verify|avatar|applications)\b/, "not supported"],
  [
    /\/orgs\/[^/]+\/(avatar|blocks)\b|\/users\/[^/]+\/gpg_keys\b| \/[\w.-]+\.(keys|gpg)$| \/\.well-known\//,
    "not supported",
  ],
  [/^(POST|DELETE) .*\/user\/emails$/, "not supported"],
  [
    /\/admin\/(cron\b(?!\/cleanup_actions)|unadopted\b)|\/notifications\/new$|\/raw\/(branch|tag|commit)\//,
    "not supported",
  ],
  [/\/commits\/\w+\/pull$|^GET .*\/statuses\/\w+$/, "not supported"],
];

const settings: readonly (readonly [pattern: RegExp, why: string])[] = [
  [/^(server|such a server)\b/, "a server with other settings"],
  [/while the check runs|while the stale mergeable holds|true again a moment later/, "a check in the background"],
  [/token in the query|query token/, "a deprecated way to send a token"],
  [/with skip-to\b/, "a query that tongs never sends"],
  [/form-encoded body|as a form: inputs|trailing second value/, "a body that tongs never sends"],
  [/\(server with /, "a server with other settings"],
  [
    /second factor|is_2fa|with the code|same code|wrong code|without the code|needs no code/,
    "two-factor authentication",
  ],
  [
    /upload of a refused type( \(\.exe\))?:|a file without an extension|rename to a refused type|one byte too large/,
    "a server with other settings",
  ],
  [/^blocks: |one who blocks me|whom I block|blocking (ended|removed)|that of the other: 404/, "blocked users"],
  [/with (an )?open dependenc|as the administrator: the message$/, "dependencies of issues"],
  [/who owns packages|purge that is no true value/, "packages"],
  [/^delivery: /, "a request of the server"],
  [/^(delete all repositories of an organization|unadopted repositories)\b/, "not supported"],
  [/^oauth2\b|\(protocol of runners, JSON\)/, "a request of a browser or a runner"],
];

/** Orders and filters of lists that tongs never asks for. */
const queries =
  /\/statuses\b.*[?&]sort=(oldest|leastupdate|highestindex)|[?&](sort=(recentclose|leastcomment|nearduedate|farduedate)|exclusive=|exclude_pull_requests=)/;

/** Why an exchange is not compared; undefined if it is. */
export function unsupportedReason({ label, auth, request }: Exchange): string | undefined {
  if (/^(session|oauth2)\b/.test(auth)) return "signed in with a browser";
  if (auth === "token") return "a token that is not in the recording";
  if (queries.test(request.path)) return "a query that tongs never sends";
  const operation = `${request.method} ${request.path.split("?")[0]}`;
  const setting = settings.find(([pattern]) => pattern.test(label));
  return (setting ?? operations.find(([pattern]) => pattern.test(operation)))?.[1];
}
