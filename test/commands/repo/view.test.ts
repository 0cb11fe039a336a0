import { describe, expect, it } from "vitest";
import { serve } from "../../support/server.ts";
import { tongs } from "../../support/tongs.ts";
import { onSandbox } from "../on-sandbox.ts";

const sandbox = await onSandbox();
const write = (path: string, text: string, repo = "mara/quay") =>
  sandbox.ask("POST", `/repos/${repo}/contents/${path}`, "mara", {
    content: Buffer.from(text).toString("base64"),
    message: path,
  });
await sandbox.ask("POST", "/user/repos", "mara", { name: "quay" });
await write("README.txt", "Plain\n");
await write("readme.md", "# The quay\n\n* mooring\n* **fenders** and \u001b[2Jrope\n");

const view = (line: readonly string[], world = {}) =>
  sandbox.run(["repo", "view", ...line], { as: "mara", env: { NO_COLOR: "1", TONGS_PAGER: "cat" }, ...world });

describe("tongs repo view", () => {
  it("renders the README on a terminal, the Markdown one first", async () => {
    const ran = await view(["mara/quay"], { terminal: true });
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain("\n\nThe quay\n\n• mooring\n• fenders and ␛[2Jrope\n");
    expect(ran.stdout).not.toContain("Plain");
  });

  it("prints the README as it is in a pipe, behind the fields", async () => {
    const ran = await view(["mara/quay"]);
    expect(ran.stdout).toMatch(/^title\tmara\/quay\n(.*\n)*url\t.*\n--\n# The quay\n\n\* mooring\n/);
  });

  it("reads the README of another branch, and says if there is no such branch", async () => {
    await sandbox.ask("POST", "/user/repos", "mara", { name: "pier" });
    await write("README.txt", "Summer\n", "mara/pier");
    await sandbox.ask("POST", "/repos/mara/pier/contents/README.md", "mara", {
      content: Buffer.from("Winter\n").toString("base64"),
      message: "ice",
      new_branch: "winter",
    });
    expect((await view(["mara/pier", "--branch", "winter"])).stdout).toContain("--\nWinter\n");
    expect((await view(["mara/pier"])).stdout).toContain("--\nSummer\n");
    expect((await view(["mara/quay", "--branch", "nosuch"])).code).toBe(5);
  });

  it("shows long ones in the pager", async () => {
    await sandbox.ask("POST", "/user/repos", "mara", { name: "logbook" });
    await write("README.md", Array.from({ length: 80 }, (_, day) => `- day ${day}`).join("\n"), "mara/logbook");
    const ran = await view(["mara/logbook"], { terminal: true, env: { TONGS_PAGER: "cat; echo paged" } });
    expect(ran.stdout).toMatch(/• day 79\npaged\n$/);
    const short = await view(["mara/quay"], { terminal: true, env: { TONGS_PAGER: "cat; echo paged" } });
    expect(short.stdout).not.toContain("paged");
  });

  it("shows a repository without README or commits, and asks for none with JSON", async () => {
    await sandbox.ask("POST", "/user/repos", "mara", { name: "bare" });
    expect(await view(["mara/bare"])).toMatchObject({ code: 0, stdout: expect.not.stringContaining("--\n") });
    const before = sandbox.requests();
    expect((await view(["mara/quay", "--json", "full_name"])).json()).toEqual({ full_name: "mara/quay" });
    expect(sandbox.requests()).toBe(before + 1);
  });

  it("shows the fields if the user may not read the code", async () => {
    const server = await serve(({ url }) =>
      /contents/.test(url)
        ? { status: 403, body: { message: "no" } }
        : { body: { id: 1, name: "quay", full_name: "mara/quay", owner: { id: 1, login: "mara" } } },
    );
    const ran = await tongs(["repo", "view", "mara/quay"], { env: { TONGS_HOST: server.url, TONGS_TOKEN: "x" } });
    expect(ran).toMatchObject({ code: 0, stdout: expect.stringContaining("title\tmara/quay") });
  });
});
