import { describe, expect, it } from "vitest";
import { openPage } from "../../src/output/browser.ts";
import { gitProgram } from "../../src/sandbox/git/git.ts";
import { shellEnv, startable, windowsProgram, windowsShell } from "../../src/system/program.ts";
import type { System } from "../../src/system/system.ts";

const git = "C:\\Program Files\\Git\\cmd\\git.exe";
const Path = "C:\\Windows\\system32;C:\\Program Files\\Git\\cmd";
const only =
  (...files: string[]) =>
  (path: string) =>
    files.includes(path);

describe("a program on Windows", () => {
  it("is one in a folder of PATH, never one in the current folder", () => {
    const anywhere = () => true;
    const names = ["less", "LESS.EXE"];
    for (const name of names) expect(windowsProgram(name, { Path: ".;bin;C:bin" }, anywhere)).toBeUndefined();
    expect(windowsProgram("less", { PATH: "D:\\tools" }, anywhere)).toBe("D:\\tools\\less.exe");
    expect(windowsProgram("LESS.EXE", { PATH: "D:\\tools" }, anywhere)).toBe("D:\\tools\\LESS.EXE");
    expect(windowsProgram("git", { Path }, only(git))).toBe(git);
  });

  it("is not looked for by a shell in the current folder", () => {
    expect(shellEnv({ HOME: "C:\\Users\\mara" }, "win32")["NoDefaultCurrentDirectoryInExePath"]).toBe("1");
    expect(shellEnv({ HOME: "/home/mara" }, "linux")).toEqual({ HOME: "/home/mara" });
  });

  it("that opens pages is started by its full path, or is the path that the user set", () => {
    const system = { env: { Path }, platform: "win32" } as const;
    const rundll = "C:\\Windows\\system32\\rundll32.exe";
    expect(startable("rundll32", system, only(rundll))).toBe(rundll);
    expect(startable("rundll32", system, only("rundll32.exe"))).toBeUndefined();
    expect(startable("D:\\browser.exe", system, only())).toBe("D:\\browser.exe");
    expect(startable("xdg-open", { ...system, platform: "linux" }, only())).toBe("xdg-open");
  });

  it("that opens pages and is not on the PATH is reported with the address", async () => {
    const env = { Path, TONGS_BROWSER: "absent", HOME: "/absent" };
    const opening = openPage({ env, platform: "win32" } as unknown as System, "https://git.example.org/");
    await expect(opening).rejects.toMatchObject({ hint: expect.stringContaining("https://git.example.org/") });
  });

  it("that the sandbox needs is git by its full path; without it, the sandbox says so", () => {
    expect(() => gitProgram({ env: { Path: ".;C:\\absent" } }, "win32")).toThrow("Could not run git");
    expect(gitProgram({ env: {} }, "linux")).toBe("git");
  });

  it.each([
    ["on the PATH", "C:\\Windows\\system32\\sh.exe"],
    ["in Git for Windows", "C:\\Program Files\\Git\\bin\\sh.exe"],
    ["in the other folder of Git for Windows", "C:\\Program Files\\Git\\usr\\bin\\sh.exe"],
  ])("that runs an alias is sh %s", (_where, sh) => {
    expect(windowsShell({ Path }, only(git, sh))).toBe(sh);
    expect(windowsShell({ Path }, only(git))).toBeUndefined();
  });
});
