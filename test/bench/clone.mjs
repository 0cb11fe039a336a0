// A hundred small repositories, cloned by a pattern and one by one, from a server at 50 ms: the sandbox behind a proxy.
import { mkdtempSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import { program, sandbox } from "./social/processes.mjs";

const [count, delay] = [100, 50];

export async function measure({ node, tongs, env, folder: all, row }) {
  const folder = mkdtempSync(join(all, "clone-"));
  const site = await sandbox(node, tongs);
  const slow = createServer((asked, answer) => {
    setTimeout(() => {
      const { method, url } = asked;
      const headers = { ...asked.headers, host: new URL(site.url).host };
      const passed = request(`${site.url}${url}`, { method, headers }, (found) => {
        answer.writeHead(found.statusCode ?? 500, found.headers);
        found.pipe(answer);
      });
      passed.on("error", () => answer.destroy());
      asked.pipe(passed);
    }, delay);
  });
  const { token } = site;
  try {
    const headers = { Authorization: `token ${token}`, "Content-Type": "application/json" };
    for (let at = 0; at < count; at += 1) {
      const body = JSON.stringify({ name: `r${at}`, auto_init: true });
      await (await fetch(`${site.url}/api/v1/user/repos`, { method: "POST", headers, body })).text();
    }
    const { login } = await (await fetch(`${site.url}/api/v1/user`, { headers })).json();
    await new Promise((resolve) => slow.listen(0, "127.0.0.1", () => resolve(undefined)));
    const around = { ...env, TONGS_HOST: `http://127.0.0.1:${slow.address().port}`, TONGS_TOKEN: token };
    const clone = async (...words) => {
      const start = performance.now();
      await program(node, [tongs, "repo", "clone", "--quiet", ...words], { cwd: folder, env: around });
      return performance.now() - start;
    };
    const together = await clone(`${login}/*`, "--dir", "together");
    let alone = 0;
    for (let at = 0; at < count; at += 1) alone += await clone(`${login}/r${at}`);
    const again = await clone(`${login}/*`, "--dir", "together");
    row(`${count} repositories one by one`, alone);
    row(`${count} repositories by a pattern`, together, alone / together, { least: 4, of: "times as fast" });
    row("the same again, as an update", again);
  } finally {
    slow.close();
    await site.stop();
  }
}
