import { isUtf8 } from "node:buffer";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../failure/failure.ts";
import { Cancelled } from "../failure/interruption.ts";
import { readSetting } from "../profiles/settings-keys.ts";
import { tempFolder } from "../system/base-folders.ts";
import { shellEnv } from "../system/program.ts";
import type { System } from "../system/system.ts";
import { utf8Text } from "../text/utf8.ts";

/**
 * Opens a text in the editor and returns the saved text without trailing blank lines. Throws `Cancelled` if the editor ends
 * with an error, and a `Failure` that names the file if the text is not UTF-8. If the editor or tongs is interrupted, or the editor
 * crashes, what was saved until then is kept, and said on stderr with `keptBy`, the flag that takes it.
 */
export async function editText(system: System, initial: string, keptBy: string): Promise<string> {
  const folder = await mkdtemp(join(tempFolder(), "tongs-edit-"));
  const file = join(folder, "text.md");
  let isKept = false;
  try {
    await writeFile(file, initial, { mode: 0o600 });
    // As with git: an editor that goes on after Ctrl-C must not lose its terminal.
    const takeBack = system.leaveInterrupts?.();
    await run(editorName(system), file, system)
      .finally(takeBack)
      .catch(async (error: unknown) => {
        if (error instanceof Declined) throw error;
        isKept = (await readFile(file, "utf8").catch(() => initial)) !== initial;
        if (isKept) system.stderr.write(`Your text was saved. To use it, pass ${keptBy} ${file}\n`);
        throw error;
      });
    const bytes = await readFile(file);
    if (!isUtf8(bytes)) {
      isKept = true;
      throw new Failure("editor", "The text from the editor is not UTF-8", { hint: `It is in ${file}` });
    }
    return utf8Text(bytes).trimEnd();
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * The editor command: `$TONGS_EDITOR`, the setting `editor`, `$VISUAL`, or `$EDITOR`. Words after its name are arguments.
 */
export function editorName(system: Pick<System, "env" | "platform">): string {
  const { TONGS_EDITOR, VISUAL, EDITOR } = system.env;
  return (
    TONGS_EDITOR ||
    readSetting(system, "editor") ||
    VISUAL ||
    EDITOR ||
    (system.platform === "win32" ? "notepad" : "vi")
  );
}

/** The editor ended with an error, as :cq in vi: the user wants none of the text. */
class Declined extends Cancelled {}

/** The exit code of the shell for a program that Ctrl-C ended. */
const interrupted = 130;

function run(editor: string, file: string, system: System): Promise<void> {
  const env = shellEnv(system.env, system.platform);
  const options = { stdio: "inherit", cwd: system.cwd, env, signal: system.signal } as const;
  const child =
    system.platform === "win32"
      ? spawn(`${editor} "${file}"`, { ...options, shell: true })
      : // The shell waits for an editor that goes on after Ctrl-C, and takes its exit code.
        spawn("sh", ["-c", `trap : INT; ${editor} "$@"`, editor, file], options);
  return new Promise((resolve, reject) => {
    const failed = (why: string) =>
      reject(
        new Failure("editor", `The editor '${editor}' failed: ${why}`, {
          hint: "Set another editor with: tongs config set editor COMMAND",
        }),
      );
    child.on("error", (error) => (system.signal.aborted ? reject(system.signal.reason) : failed(error.message)));
    child.on("close", (code, signal) => {
      if (code === 0) resolve();
      else if (signal === "SIGINT" || code === interrupted) reject(new Cancelled());
      // The shell could not start it, or it crashed.
      else if (code === null || code >= 126) failed(code === null ? `${signal}` : `exit code ${code}`);
      else reject(new Declined());
    });
  });
}
