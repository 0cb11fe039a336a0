/** The environment variables that tongs reads, for the help and the man page. */
export const environment: readonly (readonly [name: string, meaning: string])[] = [
  ["TONGS_HOST", "the server's address; with TONGS_TOKEN no profile is needed"],
  ["TONGS_TOKEN", "the access token for TONGS_HOST (or for --host)"],
  ["TONGS_CA", "a file of extra certificate authorities for TONGS_HOST; auth login stores it in the profile"],
  ["TONGS_PROFILE", "the profile in force"],
  ["TONGS_REPO", "the repository in force: OWNER/NAME, HOST/OWNER/NAME or a URL"],
  ["TONGS_CONFIG_DIR", "the configuration folder (default: tongs in XDG_CONFIG_HOME or ~/.config)"],
  ["XDG_CACHE_HOME", "where Node keeps the compiled program, on Node 22 and newer (default: ~/.cache)"],
  ["NODE_DISABLE_COMPILE_CACHE", "set to 1 to keep nothing"],
  ["HTTPS_PROXY, HTTP_PROXY, ALL_PROXY, NO_PROXY", "proxies, and the hosts reached without one"],
  ["PAGER", "shows diffs and logs on a terminal; cat or an empty value prints them"],
  ["EDITOR, VISUAL", "writes long texts"],
  ["BROWSER", "opens pages for --web"],
  ["NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE", "colours off, or on in a pipe too"],
  ["CI", "never prompt"],
];
