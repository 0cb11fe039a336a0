import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { BaseContext } from "../../app/context.ts";
import { asksTongs, setHelper } from "../../profiles/git-helper.ts";
import { addressText, type Server } from "../../profiles/server.ts";
import { homeFolder } from "../../system/base-folders.ts";
import { createFolders, packageFile } from "../../system/files.ts";
import { showsLinks } from "../../system/surface.ts";
import type { System } from "../../system/system.ts";
import { type Finding, note, ok } from "./finding.ts";

/**
 * Reports whether git asks tongs for the token of the server. The fix makes it so, unless the user has chosen another helper
 * for this server.
 */
export async function checkHelper(server: Server, { git }: Pick<BaseContext, "git">): Promise<Finding[]> {
  // A token that cannot be read is reported by another check.
  const token = await server.token().catch(() => undefined);
  if (token === undefined || server.profile === undefined) return [];
  const check = "git credentials";
  // A missing git is reported by another check.
  const asks = await asksTongs(git, server.base).catch(() => undefined);
  if (asks === undefined) return [];
  if (asks) return [ok(check, "git asks tongs")];
  const fix = `tongs auth setup-git --profile ${server.profile}`;
  const found = note(check, "git does not ask tongs for the token of this server", fix);
  const { code } = await git.attempt(["config", "--get-all", `credential.${addressText(server.base)}.helper`]);
  return [code === 0 ? found : { ...found, repair: () => setHelper(git, server.base, "--global") }];
}

/** Where each shell finds a completion script, and the files in which a user can load it. */
const shells = {
  bash: {
    script: "tongs.bash",
    own: ".local/share/bash-completion/completions/tongs",
    others: ["/usr/share/bash-completion/completions/tongs", "/usr/local/share/bash-completion/completions/tongs"],
    startup: [".bashrc", ".bash_profile", ".bash_completion"],
  },
  zsh: {
    script: "_tongs",
    own: undefined,
    others: ["/usr/share/zsh/vendor-completions/_tongs", "/usr/share/zsh/site-functions/_tongs"],
    startup: [".zshrc", ".zfunc/_tongs"],
  },
  fish: {
    script: "tongs.fish",
    own: ".config/fish/completions/tongs.fish",
    others: ["/usr/share/fish/vendor_completions.d/tongs.fish"],
    startup: [".config/fish/config.fish"],
  },
} as const;

/** Reports whether completion is installed for the shell in use. The fix writes the script where the shell looks for it. */
export function checkCompletion({ env }: Pick<System, "env">): Finding[] {
  const check = "completion";
  const shell = Object.keys(shells).find((name) => name === basename(env["SHELL"] ?? ""));
  const home = env["HOME"] && homeFolder(env);
  if (shell === undefined || !home) return [];
  const { script, own, others, startup } = shells[shell as keyof typeof shells];
  const installed =
    [...others, ...(own === undefined ? [] : [join(home, own)])].some((path) => existsSync(path)) ||
    startup.some((name) => mentionsTongs(join(home, name)));
  if (installed) return [ok(check, `installed for ${shell}`)];
  const found = `not installed for ${shell}`;
  if (own === undefined) return [note(check, found, "tongs completion --help")];
  const path = join(home, own);
  const repair = () => {
    createFolders(dirname(path));
    writeFileSync(path, readFileSync(packageFile("completions", script)), { flag: "wx" });
  };
  return [{ ...note(check, found, `tongs completion ${shell} > ~/${own}`), repair }];
}

function mentionsTongs(path: string): boolean {
  try {
    return /tongs completion|compdef tongs/.test(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}

/** Reports what the terminal can do. */
export function checkTerminal({ env, stdout, stdin }: Pick<System, "env" | "stdout" | "stdin">): Finding[] {
  if (stdout.isTTY !== true) return [];
  const check = "terminal";
  const term = env["TERM"] ?? "";
  const what = `${term === "" ? "TERM not set" : term}, ${stdout.columns ?? 80} columns`;
  if (term === "dumb" || (term === "" && env["WT_SESSION"] === undefined)) {
    return [note(check, `${what}: no colors and no live display`, "export TERM=xterm-256color")];
  }
  const locale = env["LC_ALL"] || env["LC_CTYPE"] || env["LANG"] || "";
  if (locale !== "" && !/utf-?8/i.test(locale)) {
    return [note(check, `${what}; the locale ${locale} is not UTF-8`, "export LC_ALL=C.UTF-8")];
  }
  const links = showsLinks(env) ? ", links" : "";
  const colors = env["NO_COLOR"] ? "no colors (NO_COLOR)" : "colors";
  const prompts = stdin.isTTY === true ? "" : "; stdin is not a terminal: no prompts";
  return [ok(check, `${what}, ${colors}${links}, UTF-8${prompts}`)];
}
