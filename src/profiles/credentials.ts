import { join } from "node:path";
import { asTokens, files, readFile } from "./read.ts";
import { updateFile } from "./write.ts";

/** Where tokens live. Today a file; the operating system's keyring fits behind the same four operations. */
export interface CredentialStore {
  /** Where the tokens are, in words. */
  readonly place: string;
  get(profile: string): string | undefined;
  set(profile: string, token: string): Promise<void>;
  rename(from: string, to: string): Promise<void>;
  delete(profile: string): Promise<void>;
}

/** Tokens in a file of their own, readable by its owner only. */
export function fileCredentials(folder: string): CredentialStore {
  const place = join(folder, files.credentials);
  const change = (edit: (tokens: Map<string, string>) => void) =>
    updateFile(folder, files.credentials, (stored) => {
      const all = new Map(Object.entries(asTokens(stored, place)));
      edit(all);
      return { ...stored, tokens: Object.fromEntries(all) };
    });
  return {
    place,
    get(profile) {
      const all = asTokens(readFile(place), place);
      return Object.hasOwn(all, profile) ? all[profile] : undefined;
    },
    set: (profile, token) => change((all) => all.set(profile, token)),
    rename: (from, to) =>
      change((all) => {
        const token = all.get(from);
        all.delete(from);
        // What is left under the new name was for another profile, and so perhaps for another server.
        all.delete(to);
        if (token !== undefined) all.set(to, token);
      }),
    delete: (profile) => change((all) => all.delete(profile)),
  };
}
