import { Failure } from "../failure/failure.ts";
import { addressText, type Server } from "../profiles/server.ts";
import { lock } from "../system/lock.ts";

/**
 * Does work that compares with what exists and creates what is missing, while no other process of this user does it on the same
 * server: two at once would both create it. `what`: `applying a policy`. Throws a `locked` failure if another one does.
 */
export async function alone<T>(what: string, { base }: Pick<Server, "base">, work: () => Promise<T>): Promise<T> {
  const address = addressText(base);
  const acquired = await lock(`${what} ${address}`);
  if (acquired === undefined)
    throw new Failure("locked", `Another tongs process is ${what} on ${address}`, {
      hint: "Run the same command again when it is done.",
    });
  try {
    return await work();
  } finally {
    acquired.release();
  }
}
