import { addressText, type Server } from "./server.ts";

/**
 * Settings that let git act as the server's user, for `GitOptions.config`. They hold for addresses below the server's
 * own only, so the token reaches no other remote; redirects are not followed, because git would take it along.
 */
export function authenticated(server: Server): Record<string, string> {
  const below = (name: string) => `http.${addressText(server.base)}/.${name}`;
  const settings: Record<string, string> = {};
  if (server.token !== undefined) {
    settings[below("extraHeader")] = `Authorization: token ${server.token}`;
    settings[below("followRedirects")] = "false";
  }
  if (server.ca !== undefined) settings[below("sslCAInfo")] = server.ca;
  if (server.proxy !== undefined) settings[below("proxy")] = server.proxy === "none" ? "" : server.proxy;
  return settings;
}

/** The address that git reaches a repository of the server at, built from the server's own address. */
export function cloneUrl(server: Server, repo: { readonly owner: string; readonly name: string }): string {
  return `${addressText(server.base)}/${encodeURIComponent(repo.owner)}/${encodeURIComponent(repo.name)}.git`;
}
