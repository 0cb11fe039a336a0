import { describe, expect, it } from "vitest";
import { Interruption } from "../../src/failure/interruption.ts";
import { pagerCommand } from "../../src/output/pager.ts";
import { serve } from "../support/server.ts";
import { tongs } from "../support/tongs.ts";

const path = process.env["PATH"] ?? "";

describe("the pager", () => {
  it.each([
    [{ PAGER: "more -s" }, "more -s"],
    [{ PAGER: "cat" }, undefined],
    [{ PAGER: " " }, undefined],
    [{ PATH: "/absent" }, undefined],
  ])("for %j is %s", (env, command) => {
    expect(pagerCommand({ env: { PATH: path, HOME: "/absent", ...env }, platform: process.platform })).toBe(command);
  });

  it("that cannot be started is a warning, and a long list is printed without it", async () => {
    const labels = Array.from({ length: 50 }, (_, id) => ({
      id,
      name: `berth-${id}`,
      color: "aaccee",
      description: "",
    }));
    const server = await serve(() => ({ body: labels, headers: { "X-Total-Count": "50" } }));
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor", PAGER: "absent-pager 2>/dev/null", NO_COLOR: "1" };
    const shown = await tongs(["label", "list", "--all"], { terminal: true, env });
    const piped = await tongs(["label", "list", "--all"], { env });
    expect(shown.code).toBe(0);
    expect(shown.stdout).toContain("berth-49");
    expect(shown.stderr).toContain("! Could not start the pager 'absent-pager 2>/dev/null'");
    expect(piped.stderr).toBe("");
  });

  it("keeps the terminal until it is closed, even after Ctrl-C", async () => {
    const interruption = new AbortController();
    const server = await serve((_seen, _request, response) => {
      response.writeHead(200);
      response.write("+first\n");
      setTimeout(() => interruption.abort(new Interruption("SIGINT")), 50);
      return undefined;
    });
    const env = { TONGS_HOST: server.url, TONGS_REPO: "mara/harbor", PAGER: "cat; echo left", NO_COLOR: "1" };
    const ran = await tongs(["pr", "diff", "12"], { terminal: true, env, signal: interruption.signal });
    expect(ran).toMatchObject({ code: 130, stdout: "+first\nleft\n" });
  });
});
