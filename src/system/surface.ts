import type { System } from "../system/system.ts";

type Env = System["env"];

/**
 * Whether the terminal is not redrawn in place: TERM=dumb, or TONGS_ACCESSIBLE for screen readers. Output is then line by
 * line, and prompts are numbered.
 */
export function isLineByLine(env: Env): boolean {
  const accessible = env["TONGS_ACCESSIBLE"] ?? "";
  return env["TERM"] === "dumb" || !["", "0", "false"].includes(accessible);
}

/** Terminals that announce themselves by a variable of their own, and show links (OSC 8). */
const variables = ["WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION", "DOMTERM", "GHOSTTY_RESOURCES_DIR"];
const programs = ["iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"];
const terms = ["xterm-kitty", "alacritty", "xterm-ghostty", "foot"];

/** Whether the terminal shows links: by FORCE_HYPERLINK, else by the variables that terminals set. */
export function showsLinks(env: Env): boolean {
  const forced = env["FORCE_HYPERLINK"];
  if (forced !== undefined && forced !== "") return forced !== "0" && forced !== "false";
  if (isLineByLine(env)) return false;
  // VTE: GNOME Terminal and others, since 0.50.
  if (Number(env["VTE_VERSION"] ?? 0) >= 5000) return true;
  if (programs.includes(env["TERM_PROGRAM"] ?? "") || terms.includes(env["TERM"] ?? "")) return true;
  return variables.some((name) => Boolean(env[name]));
}
