/** What an import is asked for. */
export interface ImportSettings {
  /** The address of the owner; absent with --list. */
  readonly source?: string;
  /** The repositories of --list. */
  readonly entries?: readonly { readonly address: string; readonly name: string }[];
  readonly service?: string;
  /** The owner of the new repositories. */
  readonly to: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly forks?: boolean;
  readonly archived?: boolean;
  readonly visibility?: string;
  /** The fields of the migration that are true: `issues`, `lfs`. */
  readonly items: readonly string[];
  readonly mirror: boolean;
  readonly mirror_interval?: string;
  readonly private?: boolean;
}
