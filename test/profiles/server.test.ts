import { describe, expect, it } from "vitest";
import { cloneUrl, gitAuthConfig, type Server } from "../../src/profiles/server.ts";

const server: Server = {
  base: new URL("https://forge.example.org/git"),
  profile: undefined,
  user: undefined,
  token: "not-a-real-token",
  ca: undefined,
  proxy: undefined,
  repo: undefined,
  because: "the test",
};

describe("git for a server", () => {
  it("has the token only for URLs of the server, and does not follow redirects", () => {
    expect(gitAuthConfig(server)).toEqual({
      "http.https://forge.example.org/git/.extraHeader": "Authorization: token not-a-real-token",
      "http.https://forge.example.org/git/.followRedirects": "false",
    });
  });

  it("has the server's certificate authority and proxy, and no header without a token", () => {
    expect(gitAuthConfig({ ...server, token: undefined, ca: "/ca.pem", proxy: "none" })).toEqual({
      "http.https://forge.example.org/git/.sslCAInfo": "/ca.pem",
      "http.https://forge.example.org/git/.proxy": "",
    });
  });

  it("clones repositories below the path prefix", () => {
    expect(cloneUrl(server, { owner: "mara", name: "a b" })).toBe("https://forge.example.org/git/mara/a%20b.git");
  });
});
