import { describe, expect, it } from "vitest";
import { proxyFor } from "../../src/http/proxy-for.ts";
import { runBuilt } from "../support/built.ts";
import { emptyFolder, tongs } from "../support/tongs.ts";

const view = ["pr", "view", "12", "--json", "number"];
const env = (host: string) => ({ TONGS_HOST: host, TONGS_TOKEN: "not-a-real-token", TONGS_REPO: "mara/harbor" });

describe("the choice of a proxy", () => {
  const choose = async (url: string, env: Readonly<Record<string, string>>, own?: string) =>
    proxyFor(new URL(url), env, own)?.href;
  const all = { ALL_PROXY: "http://all:1", HTTPS_PROXY: "http://s:1", HTTP_PROXY: "http://p:1" };

  it("is by scheme, then ALL_PROXY; lower case takes precedence; an empty value is ignored", async () => {
    expect(await choose("https://x.org", all)).toBe("http://s:1/");
    expect(await choose("http://x.org", all)).toBe("http://p:1/");
    expect(await choose("https://x.org", { ALL_PROXY: "all:3128" })).toBe("http://all:3128/");
    expect(await choose("https://x.org", { ...all, https_proxy: "http://low:1" })).toBe("http://low:1/");
    expect(await choose("https://x.org", { HTTPS_PROXY: "" })).toBeUndefined();
    expect(await choose("https://x.org", {})).toBeUndefined();
  });

  it("is the profile's proxy first, or none", async () => {
    expect(await choose("https://x.org", { ...all, NO_PROXY: "*" }, "own:1")).toBe("http://own:1/");
    expect(await choose("https://x.org", all, "none")).toBeUndefined();
  });

  it.each([
    ["https://git.x.org", "x.org", true],
    ["https://git.x.org", ".x.org", true],
    ["https://git.x.org", "*.x.org", true],
    ["https://gitx.org", "x.org", false],
    ["https://x.org", "*", true],
    ["https://X.ORG", "a b,x.org", true],
    ["https://x.org:8443", "x.org:8443", true],
    ["https://x.org", "x.org:8443", false],
    ["https://x.org", "x.org:443", true],
    ["https://10.1.2.3", "10.0.0.0/8", true],
    ["https://11.1.2.3", "10.0.0.0/8", false],
    ["https://x.org", "10.0.0.0/8", false],
    ["https://10.1.2.3", "10.0.0.0/99", false],
    ["https://[::1]", "::1", true],
    ["https://[::1]:3000", "[::1]:3000", true],
    ["https://[::1]:3000", "[::1]:4000", false],
    ["https://[fd00::7]", "fd00::/8", true],
    ["https://x.org", "", false],
  ])("for %s with NO_PROXY '%s': bypassed %s", async (url, NO_PROXY, bypassed) => {
    expect((await choose(url, { ...all, NO_PROXY })) === undefined).toBe(bypassed);
  });

  it.each([
    ["socks4://127.0.0.1:1080", "only http and socks5 proxies"],
    ["http://", "not a valid proxy"],
    ["http://mara:100%@proxy:1", "percent-encoding"],
    ["http://mara:%ff@proxy:1", "percent-encoding"],
    ["http://mara:pass@proxy:1/some/path", "must not have a path"],
    ["http://mara:pass@proxy:1?x=1", "must not have a path"],
    ["http://mara:pass@proxy:1/%zz", "must not have a path"],
  ])("refuses %s with exit 2, without printing the value", async (value, words) => {
    const ran = await tongs(view, { env: { ...env("http://127.0.0.1:9"), ALL_PROXY: value } });
    expect(ran.code).toBe(2);
    const { error } = JSON.parse(ran.stderr) as { error: { message: string } };
    expect(error.message).toMatch(/^ALL_PROXY /);
    expect(error.message).toContain(words);
    expect(error.message).not.toContain("mara");
  });

  it.each([
    ["https_proxy", "http://proxy:1/path"],
    ["HTTPS_PROXY", "http://u:%E0%A4%A@proxy:1"],
  ])("refuses a bad %s with exit 2 and its name, in the built program", async (name, value) => {
    const cwd = emptyFolder();
    const ended = await runBuilt(view, { cwd, env: { ...env("https://127.0.0.1:9"), [name]: value } });
    expect(ended.code).toBe(2);
    expect(JSON.parse(ended.stderr)).toMatchObject({
      error: { message: expect.stringMatching(new RegExp(`^${name} `)) },
    });
  });
});
