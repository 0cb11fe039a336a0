// Writes docs/coverage.md: every operation of docs/operations.tsv with the commands that serve it. The operations behind
// a function of src/forge are found by calling it with stand-ins; the functions behind a command by reading its sources.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { loadSources } from "../bundle.mjs";
import { top } from "../setup.mjs";

export async function generate() {
  const rows = await coverage();
  const page = coveragePage(rows);
  writeFileSync(join(top, "docs/coverage.md"), page);
  console.log(
    `${rows.filter(({ commands }) => commands.length > 0).length} of ${rows.length} operations in docs/coverage.md`,
  );
}

/** The operations of docs/operations.tsv, each with the commands that send it, the most direct ones first. */
export async function coverage() {
  const [, ...lines] = readFileSync(join(top, "docs/operations.tsv"), "utf8").trim().split("\n");
  const sent = await sentByFunction();
  const users = commandsByFunction();
  return lines.map((line) => {
    const [method, path, servers, mission] = line.split("\t");
    const pattern = patternOf(path);
    const distances = new Map();
    for (const [name, requests] of sent) {
      if (!requests.some((request) => request.method === method && pattern.test(request.path))) continue;
      for (const [command, distance] of users.get(name) ?? []) {
        distances.set(command, Math.min(distance, distances.get(command) ?? distance));
      }
    }
    const nearest = Math.min(...distances.values());
    const commands = [...distances].filter(([, distance]) => distance === nearest).map(([command]) => command);
    commands.sort((one, other) => rank(one, method) - rank(other, method) || (one < other ? -1 : 1));
    return { method, path, servers: servers.split(","), mission: mission === "mission", commands };
  });
}

const verbs = {
  GET: ["list", "view", "get", "show", "jobs", "check"],
  POST: ["create", "add", "set", "upload", "run"],
  PUT: ["add", "set", "edit", "update"],
  PATCH: ["edit", "rename", "set"],
  DELETE: ["delete", "remove"],
};

/** Commands whose verb is what the method is for come first. */
function rank(command, method) {
  const at = (verbs[method] ?? []).indexOf(command.split(" ").at(-1));
  return at < 0 ? Number.MAX_SAFE_INTEGER : at;
}

export function coveragePage(rows) {
  const covered = rows.filter(({ commands }) => commands.length > 0);
  const table = rows.map(({ method, path, servers, commands }) => {
    const shown = commands.slice(0, 3).map((command) => `\`${command}\``);
    const command = shown.length > 0 ? shown.join(", ") : "`api`";
    return `| ${method} | \`${path}\` | ${servers.length === 2 ? "both" : servers[0]} | ${command} |`;
  });
  return [
    "# Coverage of the API",
    "",
    "The operations of Gitea and Forgejo and the commands that use them. All others are available by `tongs api`.",
    "This page is generated from `docs/operations.tsv` and the commands by `npm run generate`.",
    "",
    `${covered.length} of ${rows.length} operations have a command.`,
    "",
    "| method | path | server | commands |",
    "| --- | --- | --- | --- |",
    ...table,
    "",
  ].join("\n");
}

/** `/repos/{owner}/{repo}/raw/{filepath}` as a pattern of paths whose parameters are any text without a slash. */
function patternOf(path) {
  const literal = path.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{[^}]*\}/g, "[^/]+");
  return new RegExp(`^${literal}/?$`);
}

/** The requests of every function of the forge, as `area.function` → method, path and options. */
export async function sentByFunction() {
  mkdirSync(join(top, "node_modules", ".cache"), { recursive: true });
  const scratch = mkdtempSync(join(top, "node_modules", ".cache", "coverage-"));
  const areas = readdirSync(join(top, "src/forge")).filter((file) => file.endsWith(".ts"));
  const sources = await loadSources([...areas.map((file) => `src/forge/${file}`), "src/http/errors.ts"], scratch);
  const { NotFoundError, UnknownOperationError } = sources;
  const requests = [];
  // Functions try another operation when the first answers that something is missing, or that it does not exist.
  const missing = { left: 0, Failure: NotFoundError };
  const http = recordingHttp(requests, missing);
  const sent = new Map();
  for (const [area, open] of Object.entries(sources)) {
    if (!area.endsWith("Api")) continue;
    for (const [name, call] of Object.entries(open(http))) {
      if (typeof call !== "function") continue;
      requests.length = 0;
      for (const of of ["repository", "organization", "user", "server", "issue", "blocks"]) {
        for (missing.Failure of [NotFoundError, UnknownOperationError]) {
          for (missing.first of [0, 1, 2, 3]) {
            missing.left = missing.first;
            await tried(() => call(...Array.from({ length: 6 }, () => standIn(of))));
          }
        }
      }
      sent.set(`${area}.${name}`, [...requests]);
    }
  }
  rmSync(scratch, { recursive: true });
  return sent;
}

/** Calls with stand-ins fail where a real value is needed: what was sent until then counts. */
async function tried(call) {
  try {
    const result = await call();
    if (typeof result?.take === "function") for await (const item of result.take(1)) if (item) break;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
}

function recordingHttp(requests, missing) {
  const send = async (method, path, options) => {
    requests.push({ method, path: String(path).split("?")[0], options });
    if (missing.left > 0) {
      missing.left -= 1;
      const exchange = {
        method,
        path: "/",
        status: 404,
        headers: {},
        server: "server",
        bytes: Buffer.alloc(0),
        body: {},
      };
      throw new missing.Failure(exchange, "not found");
    }
    return standIn("repository");
  };
  const verbs = ["get", "post", "put", "patch", "delete", "head"].map((verb) => [
    verb,
    (path, options) => send(verb.toUpperCase(), path, options),
  ]);
  return {
    ...Object.fromEntries(verbs),
    send,
    list(path, call = {}) {
      const first = send("GET", path, { call });
      first.catch(() => undefined);
      const pages = async function* () {
        yield [await first];
      };
      const take = async function* () {
        yield await first;
      };
      return { take, pages, total: 1 };
    },
  };
}

/** A value that is text, a record, a list and a function, as it is needed. */
function standIn(of) {
  const target = () => standIn(of);
  return new Proxy(target, {
    get(_target, key) {
      if (key === Symbol.toPrimitive || key === "toString") return () => "value";
      if (key === Symbol.iterator) return [][Symbol.iterator].bind([standIn(of)]);
      if (key === "then") return undefined;
      if (key === "of") return of;
      if (key === "length") return 1;
      // The path of a file is passed to Node, which takes text only.
      if (key === "path") return "value";
      const list = [standIn(of)];
      if (typeof list[key] === "function") return list[key].bind(list);
      return standIn(of);
    },
    has: () => true,
  });
}

/** The commands that use each function of the forge, with the number of files between them. */
function commandsByFunction() {
  const users = new Map();
  for (const [command, file] of verbFiles()) {
    for (const [found, distance] of filesOf(file)) {
      for (const name of functionsIn(readFileSync(found, "utf8"))) {
        const commands = users.get(name) ?? new Map();
        users.set(name, commands);
        commands.set(command, Math.min(distance, commands.get(command) ?? distance));
      }
    }
  }
  return users;
}

/** The commands of the tables with their files. */
function verbFiles() {
  const folder = join(top, "src/commands");
  const nouns = readFileSync(join(folder, "index.ts"), "utf8").matchAll(/import\("\.\/([\w-]+)\/table\.ts"\)/g);
  return [
    ...verbsIn(folder, "index.ts"),
    ...[...nouns].flatMap(([, noun]) => verbsIn(join(folder, noun), "table.ts", [noun])),
  ];
}

/** The commands of one table. Nouns within a noun are told from the indentation. */
function verbsIn(folder, file, noun = []) {
  const verbs = [];
  const parents = [];
  for (const line of readFileSync(join(folder, file), "utf8").split("\n")) {
    const [, indent, name, rest] = /^( +)"?([\w-]+)"?: (\{$|\(\) => import\(.*)/.exec(line) ?? [];
    if (indent === undefined) continue;
    while ((parents.at(-1)?.indent ?? -1) >= indent.length) parents.pop();
    const words = [...noun, ...parents.map((parent) => parent.name), name];
    const verb = /import\("([^"]+)"\)/.exec(rest)?.[1];
    if (verb === undefined) parents.push({ name, indent: indent.length });
    else verbs.push([words.join(" "), join(folder, verb)]);
  }
  return verbs;
}

/** A file and those that it imports from the forge and the floors above, with the number of imports between them. */
function filesOf(file) {
  const found = new Map([[file, 0]]);
  for (const [name, distance] of found) {
    const text = readFileSync(name, "utf8");
    for (const [, target] of text.matchAll(/(?:from|import\()\s*"(\.[^"]+\.ts)"/g)) {
      const path = join(dirname(name), target);
      const floor = relative(join(top, "src"), path).split(/[\\/]/)[0];
      if (!["commands", "app", "download", "forge"].includes(floor ?? "") || found.has(path) || !existsSync(path))
        continue;
      found.set(path, distance + 1);
    }
  }
  return found;
}

function functionsIn(text) {
  const direct = [...text.matchAll(/\b(\w+Api)\([\w.]*\)\s*\.(\w+)/g)].map(([, area, name]) => `${area}.${name}`);
  const taken = [...text.matchAll(/\{([^{}]*)\} = (\w+Api)\(/g)].flatMap(([, names, area]) =>
    names.split(",").map((name) => `${area}.${name.trim().split(":")[0]}`),
  );
  const chosen = [...text.matchAll(/\b(\w+Api)\([\w.]*\)\[/g)].flatMap(([, area]) =>
    [...text.matchAll(/"(\w+)"/g)].map(([, name]) => `${area}.${name}`),
  );
  return new Set([...direct, ...taken, ...chosen]);
}
