import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/failure/failure.ts";
import { namesSeveral, parseRepo } from "../../src/repo/repo-name.ts";

describe("a repository in a URL", () => {
  it.each([
    ["https://git.example.org/mara/harbor", "https://git.example.org", "mara/harbor"],
    ["https://git.example.org/mara/harbor.git", "https://git.example.org", "mara/harbor"],
    ["https://git.example.org/mara/harbor/pulls/12?x=1#y", "https://git.example.org", "mara/harbor"],
    ["https://git.example.org/git/mara/harbor/src/branch/main", "https://git.example.org/git", "mara/harbor"],
    ["https://git.example.org/mara/wiki", "https://git.example.org", "mara/wiki"],
    ["https://git.example.org/issues/src/issues/8", "https://git.example.org", "issues/src"],
    ["https://git.example.org/git/mara/wiki.git", "https://git.example.org/git", "mara/wiki"],
    ["https://git.example.org/mara/a%20b", "https://git.example.org", "mara/a b"],
  ])("%s is on %s: %s", (typed, host, name) => {
    const { host: found, owner, name: repo } = parseRepo(typed);
    expect([found, `${owner}/${repo}`]).toEqual([host, name]);
  });

  it.each([
    "https://git.example.org/mara/%zz",
    "https://git.example.org/mara",
    "https://git.example.org/",
    "https://",
    "mara/x#3",
    "git@git.example.org:mara/x#3",
  ])("%s is a usage error", (typed) => {
    expect(() => parseRepo(typed)).toThrow(UsageError);
    expect(() => parseRepo(typed)).toThrow("is not a valid repository");
  });
});

describe("a word that selects several repositories", () => {
  it.each(["-", "tide*", "acme/*", "acme/{a,b}", "http://[::1]:3000/acme/*"])("%s", (word) =>
    expect(namesSeveral(word)).toBe(true),
  );
  it.each(["mara/harbor", "https://h/mara/harbor/pulls?state=all", "http://[::1]:3000/mara/harbor"])(
    "is not %s",
    (word) => expect(namesSeveral(word)).toBe(false),
  );
});
