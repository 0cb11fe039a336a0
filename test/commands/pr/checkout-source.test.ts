import { describe, expect, it } from "vitest";
import { sourceOf } from "../../../src/commands/pr/checkout-source.ts";
import type { PullRequest } from "../../../src/forge/pulls.ts";
import type { Remote } from "../../../src/git/remotes.ts";
import type { Server } from "../../../src/profiles/server.ts";
import { end, pull } from "./pulls.ts";

const server = { base: new URL("https://forge.example.org") } as Server;
const origin: Remote = { name: "origin", url: "x", host: "forge.example.org", owner: "Mara", repo: "Harbor" };

const source = (over: Readonly<Record<string, unknown>>, remotes: readonly Remote[] = [origin]) =>
  sourceOf(pull(12, over) as unknown as PullRequest, { server, remotes });

describe("the source of a checkout", () => {
  it("is the remote of its repository, ignoring case", () => {
    expect(source({ head: end("fix/tides") })).toEqual({
      from: "origin",
      ref: "refs/heads/fix/tides",
      tracking: "refs/remotes/origin/fix/tides",
      branches: ["fix/tides", "mara/fix/tides", "pr-12"],
      remote: "origin",
      merge: "refs/heads/fix/tides",
    });
  });

  it("is the URL of the repository if there is no remote for it, as after a rename", () => {
    const url = "https://forge.example.org/mara/harbor.git";
    expect(source({ head: end("tides") }, [])).toMatchObject({ from: url, remote: url, tracking: undefined });
  });

  it.each([
    ["gone", ["gone", "pr-12"]],
    ["main", ["pr-12"]],
    ["priya:main", ["pr-12"]],
    ["", ["pr-12"]],
    ["-x", ["pr-12"]],
  ])("is refs/pull/N/head if the fork was deleted; label '%s' gives branch %s", (label, branches) => {
    const head = { label, ref: "refs/pull/12/head", sha: "a".repeat(40), repo_id: -1, repo: null };
    expect(source({ head })).toMatchObject({ ref: "refs/pull/12/head", merge: "refs/pull/12/head", branches });
  });

  it("of a fork without a remote tracks its URL, over SSH with git_protocol ssh", () => {
    const fork = { full_name: "priya/harbor", owner: { login: "priya" }, name: "harbor", permissions: { push: true } };
    const head = {
      ...end("tides"),
      repo_id: 9,
      repo: { ...fork, ssh_url: "ssh://git@forge.example.org:2222/priya/harbor.git" },
    };
    const tracked = (protocol: "https" | "ssh") =>
      sourceOf(pull(12, { head }) as unknown as PullRequest, { server, remotes: [origin], protocol });
    expect(tracked("https")).toMatchObject({
      from: "origin",
      ref: "refs/pull/12/head",
      remote: "https://forge.example.org/priya/harbor.git",
    });
    expect(tracked("ssh")).toMatchObject({
      from: "origin",
      remote: "ssh://git@forge.example.org:2222/priya/harbor.git",
      merge: "refs/heads/tides",
    });
  });

  it("of a fork whose name cannot be part of an address is refs/pull/N/head", () => {
    const fork = { full_name: "priya/\ud800", owner: { login: "priya" }, name: "\ud800", permissions: { push: true } };
    const head = { ...end("tides"), repo_id: 9, repo: fork };
    expect(source({ head })).toMatchObject({ from: "origin", remote: "origin", merge: "refs/pull/12/head" });
  });

  it.each(["x:refs/heads/main", "-upload-pack=evil", "a b", "-x", "@", "HEAD"])(
    "never names a branch that is invalid in git, and fetches refs/pull/N/head instead: '%s'",
    (ref) => {
      const pullRef = "refs/pull/12/head";
      const found = { from: "origin", ref: pullRef, remote: "origin", merge: pullRef, branches: ["pr-12"] };
      expect(source({ head: end(ref) })).toEqual({ ...found, tracking: undefined });
    },
  );
});
