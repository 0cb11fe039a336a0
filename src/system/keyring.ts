import { fork } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

/** The keyring of the desktop: the Keychain, the Windows Credential Manager, or the Secret Service. */
export interface Keyring {
  /**
   * The secret of an account; undefined if there is none. Rejects if the keyring is locked, cannot be reached or does not
   * answer in time, and with the reason of the signal when it aborts.
   */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** Deletes the secret of an account, if there is one. */
  delete(account: string): Promise<void>;
}

/** What the keyring needs of the system. */
export interface KeyringOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** How long to wait for an answer, in milliseconds: time to type the password of a locked keyring. */
  readonly limit?: number;
}

type Request = { readonly what: "get" | "set" | "delete"; readonly account: string; readonly secret?: string };
type Answer = { readonly secret?: string; readonly failed?: string };

/**
 * Opens the keyring. Throws if its native library is not installed, as in the standalone programs. On Linux only the
 * Secret Service is used.
 */
export function openKeyring({ env, signal, limit = 30_000 }: KeyringOptions): Keyring {
  const file = join(__dirname, "workers", "keyring.js");
  // A standalone program has no such file, and would look for the library in the current directory.
  if (!existsSync(file)) throw new Error("standalone programs have no keyring");
  createRequire(file).resolve("@napi-rs/keyring");

  function ask(request: Request): Promise<string | undefined> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      // The secret goes through a channel that no other program can read.
      const child = fork(file, { env, execArgv: [], stdio: ["ignore", "ignore", "ignore", "ipc"] });
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", interrupt);
        child.kill("SIGKILL");
      };
      const fail = (reason: unknown) => {
        end();
        reject(reason);
      };
      const interrupt = () => fail(signal.reason);
      const timer = setTimeout(() => fail(new Error(`it did not answer within ${limit / 1000} seconds`)), limit);
      signal.addEventListener("abort", interrupt, { once: true });
      child.once("error", fail);
      child.once("exit", () => fail(new Error("its library does not run here")));
      child.once("message", ({ secret, failed }: Answer) => {
        if (failed !== undefined) return fail(new Error(failed));
        end();
        resolve(secret);
      });
      child.send(request, (error) => error && fail(error));
    });
  }

  return {
    get: (account) => ask({ what: "get", account }),
    set: async (account, secret) => void (await ask({ what: "set", account, secret })),
    delete: async (account) => void (await ask({ what: "delete", account })),
  };
}
