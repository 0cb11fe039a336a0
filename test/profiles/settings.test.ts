import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Profile, ProfileKey } from "../../src/profiles/profile.ts";
import { withSetting } from "../../src/profiles/settings.ts";
import { emptyFolder } from "../support/tongs.ts";

const profile: Profile = { host: "https://example.org/git", since: "2026-11-21T10:00:00Z" };
const place = { cwd: "/not-there/here", home: "/home/nobody" };
const set = (key: ProfileKey, value: string) => withSetting(profile, key, value, place)[key];

describe("a profile setting", () => {
  it.each<[ProfileKey, string, unknown]>([
    ["host", "git.example.org/", "https://git.example.org"],
    ["host", "https://example.org:8443/git/api/v1", "https://example.org:8443/git"],
    ["host", "localhost:3000", "http://localhost:3000"],
    ["user", "mara", "mara"],
    ["repo", "mara/harbor", "mara/harbor"],
    ["repo", "example.org/git/mara/harbor", "mara/harbor"],
    ["repo", "https://example.org/git/mara/harbor.git", "mara/harbor"],
    ["insecure_http", "true", true],
    ["insecure_http", "false", false],
    ["proxy", "none", "none"],
    ["proxy", "http://proxy.example.org:3128", "http://proxy.example.org:3128"],
    ["proxy", "proxy.example.org:3128", "http://proxy.example.org:3128"],
    ["rules", "Git.Example.org, git.example.org,ssh-alias", ["git.example.org", "ssh-alias"]],
    ["rules", "example.org:8443/git/,[::1]:3000", ["example.org:8443/git", "[::1]:3000"]],
    ["rules", "/not-there/,~/src,./sub,..", ["/not-there", "/home/nobody/src", "/not-there/here/sub"]],
  ])("%s accepts %s", (key, value, wanted) => {
    expect(set(key, value)).toEqual(wanted);
  });

  it.each<[ProfileKey, string, RegExp]>([
    ["host", "", /must have a host/],
    ["host", "ftp://example.org", /must begin with https:\/\/ or http:\/\//],
    ["host", "https://", /is not a valid server address/],
    ["host", "https://mara:not-a-secret@example.org", /must not contain a username or password/],
    ["host", "http://example.org", /plain http/],
    ["user", "mara lind", /is not a valid username/],
    ["repo", "harbor", /is not a valid repository/],
    ["repo", "git.example.net/mara/harbor", /is on git.example.net, but this profile is for/],
    ["insecure_http", "yes", /must be true or false/],
    ["proxy", "socks4://127.0.0.1:1080", /http, https or socks5 proxy/],
    ["proxy", "http://", /http, https or socks5 proxy/],
    ["rules", "two words", /is not a host or directory/],
    ["rules", "git@example.org", /is not a host or directory/],
    ["ca", "not-there.pem", /^Could not read the CA file .*not-there.pem: no such file or directory \(ENOENT\)$/],
  ])("%s refuses '%s'", (key, value, words) => {
    expect(() => set(key, value)).toThrow(words);
    expect(() => set(key, value)).toThrow(expect.objectContaining({ exit: "usage" }));
  });

  it("ca must be a readable file with certificates, and is stored as an absolute path", () => {
    const cwd = emptyFolder();
    writeFileSync(join(cwd, "ca.pem"), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");
    writeFileSync(join(cwd, "key.pem"), "not a certificate");
    expect(withSetting(profile, "ca", "ca.pem", { ...place, cwd }).ca).toBe(join(cwd, "ca.pem"));
    expect(() => withSetting(profile, "ca", "key.pem", { ...place, cwd })).toThrow(/contains no certificate/);
  });

  it("rules store the real path of a folder", () => {
    const cwd = emptyFolder();
    mkdirSync(join(cwd, "real"));
    symlinkSync("real", join(cwd, "link"));
    expect(withSetting(profile, "rules", "./link", { ...place, cwd }).rules).toEqual([realpathSync(join(cwd, "real"))]);
  });

  it("is removed by an empty value", () => {
    const full: Profile = { ...profile, repo: "mara/harbor", proxy: "none" };
    expect(withSetting(full, "repo", "", place)).toEqual({ ...profile, proxy: "none" });
  });

  it("host can be plain http if that is allowed", () => {
    const allowed = withSetting(profile, "insecure_http", "true", place);
    expect(withSetting(allowed, "host", "http://example.org", place).host).toBe("http://example.org");
  });
});
