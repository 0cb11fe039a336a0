/** The keyring of the desktop: the Keychain, the Windows Credential Manager, or the Secret Service. */
export interface Keyring {
  /** The secret of an account; undefined if there is none. Rejects if the keyring is locked or cannot be reached. */
  get(account: string): Promise<string | undefined>;
  set(account: string, secret: string): Promise<void>;
  /** Deletes the secret of an account, if there is one. */
  delete(account: string): Promise<void>;
}

/** The name that the keyring shows for the entries of tongs. */
const service = "tongs";

/**
 * Opens the keyring. Rejects if its native library is not installed, as in the standalone programs, or does not run here.
 * On Linux only the Secret Service is used: what the keyring of the kernel holds is lost at the next start.
 */
export async function openKeyring(): Promise<Keyring> {
  const { AsyncEntry } = await import("@napi-rs/keyring");
  const entry = (account: string) => new AsyncEntry(service, account, { linux: { store: "secret-service" } });
  return {
    get: async (account) => (await entry(account).getPassword()) ?? undefined,
    set: (account, secret) => entry(account).setPassword(secret),
    async delete(account) {
      await entry(account).deletePassword();
    },
  };
}
