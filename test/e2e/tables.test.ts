import { beforeAll, describe, expect, it } from "vitest";
import { pull as pullRecord } from "../commands/pr/pulls.ts";
import { screen } from "../support/screen.ts";
import { serve } from "../support/server.ts";
import { missing, onTerminal, plain, type Terminal } from "./terminal.ts";

const pulls = [
  {
    id: 1,
    number: 7,
    title: `Mend the quay ${"from end to end ".repeat(12)}`,
    state: "open",
    created_at: "2020-05-01T10:00:00Z",
  },
  { id: 2, number: 12, title: "Clear\u001b[2J the 霧 signal", state: "open", created_at: "2021-05-01T10:00:00Z" },
].map(({ number, ...fields }) =>
  pullRecord(number, { ...fields, head: { label: "mara:fog", ref: "fog", sha: "a".repeat(40) } }),
);

const server = await serve(() => ({ body: pulls, headers: { "x-total-count": "2" } }));
let env: Record<string, string>;
beforeAll(async () => {
  env = { TONGS_HOST: server.url, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" };
});

/** The width of a text in columns; the wide characters of the sample take two. */
function columns(text: string): number {
  return [...text].length + (text.match(/霧/g)?.length ?? 0);
}

describe(`tables on a terminal${missing}`, { skip: missing !== "" }, () => {
  it("have a header, fit the width and show relative times", async () => {
    for (const width of [40, 50, 80, 132]) {
      const list = await onTerminal(["pr", "list"], { env, columns: width });
      expect(await list.ended).toBe(0);
      const [above, ...lines] = list.read().trimEnd().split("\n");
      expect(above).toContain("Showing 2 of 2 open pull requests in");
      if (width === 40) expect(lines.shift()).toBe("mara/harbor");
      expect(lines[0]).toMatch(/^ID +TITLE/);
      expect(lines).toHaveLength(3);
      for (const line of lines) expect(columns(line), line).toBeLessThanOrEqual(width);
      expect(lines[1]).toMatch(width >= 80 ? /^#7 .*….* ago$/ : /^#7 .*…/);
    }
  });

  it("are colored, but not with NO_COLOR, --color never or TERM=dumb", async () => {
    const written = async (argv: readonly string[], more: Record<string, string> = {}) => {
      const list = await onTerminal(["pr", "list", ...argv], { env: { ...env, ...more } });
      expect(await list.ended).toBe(0);
      return list.written();
    };
    expect(await written([])).toMatch(/\u001b\[32m#7/);
    expect(await written([], { NO_COLOR: "1" })).not.toMatch(/\u001b\[\d+m/);
    expect(await written(["--color", "never"])).not.toMatch(/\u001b\[\d+m/);
    expect(await written([], { TERM: "dumb" })).not.toMatch(/\u001b\[\d+m/);
  });

  it("are colored JSON with --json", async () => {
    const json = await onTerminal(["pr", "list", "--json", "number"], { env });
    expect(await json.ended).toBe(0);
    expect(json.written()).toMatch(/\u001b\[36m"number"\u001b\[39m: \u001b\[33m7\u001b/);
    expect(JSON.parse(plain(json.written()))).toEqual([{ number: 7 }, { number: 12 }]);
  });
});

describe(`terminals that show less${missing}`, { skip: missing !== "" }, () => {
  it("get ASCII with LC_ALL=C", async () => {
    const list = await onTerminal(["pr", "list"], { env: { ...env, LC_ALL: "C" }, columns: 60 });
    expect(await list.ended).toBe(0);
    expect(list.read()).toContain("* open");
    expect(list.read()).not.toMatch(/[●…✓]/);
  });

  it("keep glyphs and links with NO_COLOR, but no color", async () => {
    const list = await onTerminal(["pr", "list"], {
      env: { ...env, NO_COLOR: "1", FORCE_HYPERLINK: "1" },
      columns: 90,
    });
    expect(await list.ended).toBe(0);
    expect(list.read()).toContain("● open");
    expect(list.written()).toMatch(/\u001b\]8;;https?:/);
    expect(list.written()).not.toMatch(/\u001b\[\d+m/);
  });

  it("number the choices with TONGS_ACCESSIBLE, without moving the cursor", async () => {
    const choosing = await onTerminal(["pr", "checkout"], { env: { ...env, TONGS_ACCESSIBLE: "1" } });
    await choosing.until("Number ");
    expect(choosing.read()).toContain("  2. #12 Clear");
    choosing.type("9\r");
    await choosing.until("Type a number from 1 to 2.");
    expect(choosing.written()).not.toMatch(/\u001b\[\??\d*[ABCDGHJKhl]/);
    choosing.type("\u0003");
    expect(await choosing.ended).toBeGreaterThan(0);
  });

  it("wrap help at their width, at most at 100 columns", async () => {
    for (const [width, most] of [
      [50, 50],
      [120, 100],
    ] as const) {
      const help = await onTerminal(["pr", "checks", "--help"], { columns: width });
      expect(await help.ended).toBe(0);
      expect(
        Math.max(
          ...help
            .read()
            .split("\n")
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(most);
      expect(help.written()).toMatch(/\u001b\[1mFLAGS\u001b\[22m/);
      expect(help.written()).toMatch(/\u001b\[1m\s+-w, --watch\u001b\[22m/);
    }
  });
});

describe(`a slow server${missing}`, { skip: missing !== "" }, () => {
  it("is waited for with a sign that moves and is gone at the end", async () => {
    const signs = () => new Set(list?.written().match(/[⠀-⣿] Waiting/g)).size;
    let list: Terminal | undefined;
    const slow = await serve(async () => {
      while (signs() < 2) await new Promise((resolve) => setTimeout(resolve, 20));
      return { body: pulls, headers: { "x-total-count": "2" } };
    });
    list = await onTerminal(["pr", "list"], { env: { ...env, TONGS_HOST: slow.url } });
    expect(await list.ended).toBe(0);
    expect(screen(list.written().replace(/\u001b\[\d*m/g, "")).join("\n")).not.toContain("Waiting");
  });
});
