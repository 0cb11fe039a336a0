import type { Area } from "../site.ts";
import { server } from "./server.ts";
import { users } from "./users.ts";

/** Every area. The order is that of the demonstration data: an area may build on those before it. */
export const areas: readonly Area[] = [server, users];
