import { describe, expect, it } from "vitest";
import { authenticated, cloneUrl, type Server } from "../../src/profiles/server.ts";

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

describe("git on a server", () => {
  it("has the token for addresses below the server's own only, and follows no redirect with it", () => {
    expect(authenticated(server)).toEqual({
      "http.https://forge.example.org/git/.extraHeader": "Authorization: token not-a-real-token",
      "http.https://forge.example.org/git/.followRedirects": "false",
    });
  });

  it("has the server's certificate authority and proxy, and no header without a token", () => {
    expect(authenticated({ ...server, token: undefined, ca: "/ca.pem", proxy: "none" })).toEqual({
      "http.https://forge.example.org/git/.sslCAInfo": "/ca.pem",
      "http.https://forge.example.org/git/.proxy": "",
    });
  });

  it("reaches repositories below the path prefix", () => {
    expect(cloneUrl(server, { owner: "mara", name: "a b" })).toBe("https://forge.example.org/git/mara/a%20b.git");
  });
});
