// Run as a separate process: writes COUNT profiles NAME-0, NAME-1, … with tokens, and prints a dot after each.
import { openProfiles } from "../../src/profiles/profiles.ts";

const [folder = "", name = "", count = "1", umask] = process.argv.slice(2);
if (umask !== undefined) process.umask(Number.parseInt(umask, 8));
const profiles = openProfiles({ env: { TONGS_CONFIG_DIR: folder }, platform: process.platform });

async function write(): Promise<void> {
  for (let number = 0; number < Number(count); number += 1) {
    const mine = `${name}-${number}`;
    await profiles.update((config) => ({
      ...config,
      profiles: { ...config.profiles, [mine]: { host: `https://${mine}.example.org` } },
    }));
    await profiles.credentials.set(mine, `not-a-secret-${mine}`);
    process.stdout.write(".");
  }
}

void write();
