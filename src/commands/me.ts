import type { ServerContext } from "../context.ts";

/** The signed-in name: the profile knows it, else the server is asked. */
export async function me({ server, forge }: ServerContext): Promise<string> {
  return server.user ?? (await forge.users.me()).login;
}
