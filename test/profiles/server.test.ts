import { describe, expect, it } from "vitest";
import { cloneUrl, gitAuthConfig, type Server, unknownServer } from "../../src/profiles/server.ts";

const server: Server = {
  ...unknownServer,
  base: new URL("https://forge.example.org/git"),
  token: async () => "not-a-real-token",
  because: "the test",
};

describe("git for a server", () => {
  it("has the token only for URLs of the server, and does not follow redirects", async () => {
    expect(await gitAuthConfig(server)).toEqual({
      "http.https://forge.example.org/git/.extraHeader": ["Authorization: token not-a-real-token"],
      "http.https://forge.example.org/git/.followRedirects": "false",
    });
  });

  it("has the server's certificate authority and proxy, and no header without a token", async () => {
    expect(await gitAuthConfig({ ...server, token: async () => undefined, ca: "/ca.pem", proxy: "none" })).toEqual({
      "http.https://forge.example.org/git/.sslCAInfo": "/ca.pem",
      "http.https://forge.example.org/git/.proxy": "",
    });
  });

  it("has the client certificate and the headers of the profile", async () => {
    const own = { clientCert: "/both.pem", headers: () => ({ "x-team": "not-a-secret" }) };
    expect(await gitAuthConfig({ ...server, ...own })).toEqual({
      "http.https://forge.example.org/git/.extraHeader": [
        "Authorization: token not-a-real-token",
        "x-team: not-a-secret",
      ],
      "http.https://forge.example.org/git/.followRedirects": "false",
      "http.https://forge.example.org/git/.sslCert": "/both.pem",
      "http.https://forge.example.org/git/.sslKey": "/both.pem",
    });
    const two = await gitAuthConfig({ ...server, clientCert: "/a.pem", clientKey: "/a.key" });
    expect(two["http.https://forge.example.org/git/.sslKey"]).toBe("/a.key");
  });

  it("clones repositories below the path prefix", () => {
    expect(cloneUrl(server, { owner: "mara", name: "a b" })).toBe("https://forge.example.org/git/mara/a%20b.git");
  });
});
