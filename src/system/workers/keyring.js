// @ts-check
// Asks the keyring in a process of its own: a call of its library cannot be interrupted, and a process that has one
// under way cannot even exit. Receives one request, sends one answer.
const { AsyncEntry } = require("@napi-rs/keyring");

/** The name that the keyring shows for the entries of tongs. */
const service = "tongs";

/**
 * @typedef {object} Request
 * @property {"get" | "set" | "delete"} what
 * @property {string} account
 * @property {string} [secret] For `set`.
 */

async function answerTo(/** @type {Request} */ { what, account, secret = "" }) {
  // What the keyring of the kernel holds is lost at the next start.
  const entry = new AsyncEntry(service, account, { linux: { store: "secret-service" } });
  if (what === "set") await entry.setPassword(secret);
  if (what === "delete") await entry.deletePassword();
  return what === "get" ? ((await entry.getPassword()) ?? undefined) : undefined;
}

process.once("message", async (/** @type {Request} */ request) => {
  try {
    process.send?.({ secret: await answerTo(request) });
  } catch (error) {
    process.send?.({ failed: error instanceof Error ? error.message : String(error) });
  }
});
// tongs has ended. process.exit would wait for the call.
process.once("disconnect", () => process.kill(process.pid, "SIGKILL"));
