/** All exit codes. Scripts depend on them: never renumber. */
export const exitCodes = {
  ok: { code: 0, meaning: "success, empty lists too" },
  failure: { code: 1, meaning: "the 'no' of a check command; any failure not listed" },
  usage: { code: 2, meaning: "usage error: nothing was sent" },
  cancelled: { code: 3, meaning: "cancelled at a prompt" },
  denied: { code: 4, meaning: "not signed in, or not allowed" },
  notFound: { code: 5, meaning: "not found" },
  noAnswer: { code: 6, meaning: "no response: network, TLS, timeout" },
  serverFailed: { code: 7, meaning: "the server failed" },
  pending: { code: 8, meaning: "still pending (checks, runs)" },
  refused: { code: 9, meaning: "refused in this state" },
  rateLimited: { code: 10, meaning: "rate limited, retries used up" },
  partly: { code: 11, meaning: "a batch finished, some items failed; or only part was done" },
  awaitedFailed: { code: 12, meaning: "the awaited run or check failed" },
  invalid: { code: 13, meaning: "rejected as invalid" },
  interrupted: { code: 130, meaning: "interrupted" },
  terminated: { code: 143, meaning: "terminated" },
} as const;

/** The name of an exit code. */
export type ExitName = keyof typeof exitCodes;
