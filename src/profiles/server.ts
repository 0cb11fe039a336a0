/** The server in force and how it was chosen. */
export interface Server {
  /** Its address with the path prefix. */
  readonly base: URL;
  /** The stored profile, unless the environment or a flag alone named the server. */
  readonly profile: string | undefined;
  /** The signed-in name, where the profile has it. */
  readonly user: string | undefined;
  readonly token: string | undefined;
  readonly ca: string | undefined;
  readonly proxy: string | undefined;
  /** The profile's default repository. */
  readonly repo: string | undefined;
  /** Why this one, in words: `--profile`, `TONGS_HOST`, "the remote origin", "the default profile". */
  readonly because: string;
}
