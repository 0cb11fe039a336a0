import { readFileSync } from "node:fs";
import { defineCommand } from "../app/define.ts";
import { word } from "../command/args.ts";
import { Failure } from "../failure/failure.ts";
import { packageFile } from "../system/files.ts";

const files = { bash: "tongs.bash", zsh: "_tongs", fish: "tongs.fish", powershell: "tongs.ps1" } as const;

/** `tongs completion SHELL`: prints a file of the package. */
export const completion = defineCommand({
  summary: "Generate a shell completion script",
  details:
    "The script asks tongs for each word. Names such as those of branches and labels come from the server, if it answers " +
    "within 300 ms, and are cached for 20 seconds.",
  on: "nothing",
  effect: "read",
  asTool: "none",
  args: { shell: word(["bash", "zsh", "fish", "powershell"], "the shell") },
  examples: [
    ["bash: add to ~/.bashrc", "source <(tongs completion bash)"],
    ["zsh: save to a directory of $fpath", "tongs completion zsh > ~/.zfunc/_tongs"],
    ["fish: save to its completions directory", "tongs completion fish > ~/.config/fish/completions/tongs.fish"],
    ["PowerShell: add to $PROFILE", "tongs completion powershell | Out-String | Invoke-Expression"],
  ],
  async run({ args, out }) {
    const path = packageFile("completions", files[args.shell]);
    try {
      await out.raw(readFileSync(path, "utf8"));
    } catch (cause) {
      throw new Failure("incomplete_installation", `File ${path} is missing`, {
        hint: "Reinstall tongs.",
        cause,
      });
    }
  },
});
