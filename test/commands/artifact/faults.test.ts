import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { scratchesIn, scratchIn } from "../../support/scratch.ts";
import { emptyFolder } from "../../support/tongs.ts";
import { zip } from "../../support/zip.ts";
import { type ArtifactServer, cut, type Kept, type Storage, serveArtifacts, usual } from "./artifact-server.ts";

const noise = randomBytes(3000);
const archive = zip([
  { name: "noise.bin", content: noise, stored: true },
  { name: "docs/guide.md", content: "# The quay\n".repeat(20), descriptor: true },
]);
const other = zip([
  { name: "noise.bin", content: randomBytes(3000), stored: true },
  { name: "x", content: "other" },
]);

let server: ArtifactServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** Downloads artifact 14 as an archive into a new folder. */
async function fetchZip(kept: Partial<Kept>, broken: Storage, cwd = emptyFolder()) {
  await server?.close();
  server = await serveArtifacts([{ id: 14, name: "docs", content: archive, ...kept }], broken);
  const ran = await server.run(["download", "14", "--zip"], { cwd });
  return { ran, cwd, files: filesIn(cwd), ranges: server.storage.seen.map(({ headers }) => headers["range"]) };
}

/** The names in a folder; those of a scratch folder without its name, which is another one each time. */
function filesIn(cwd: string): string[] {
  const scratches = scratchesIn(cwd);
  const names = readdirSync(cwd).filter((name) => name !== ".tongs-test");
  const others = names.filter((name) => !scratches.some(({ folder }) => folder === join(cwd, name)));
  return [...others, ...scratches.flatMap((one) => one.names)];
}

/** What is left for the next run. */
const unfinished = ["archive.part", "archive.part.json", "scratch.json"];

/** Nothing but the right archive is left. */
function expectRight({ ran, cwd, files }: Awaited<ReturnType<typeof fetchZip>>, content = archive): void {
  expect(ran).toMatchObject({ code: 0, stdout: "docs.zip\n" });
  expect(files).toEqual(["docs.zip"]);
  expect(readFileSync(join(cwd, "docs.zip")).equals(content)).toBe(true);
}

describe("an artifact from a server that fails", () => {
  it("is whole wherever its body is cut, and the rest alone is asked for", async () => {
    for (let round = 0; round < 200; round += 1) {
      const at = randomBytes(4).readUInt32LE(0) % archive.length;
      const etag = round % 2 === 0 ? '"one"' : undefined;
      const fetched = await fetchZip(etag ? { etag } : {}, (seen, response, kept, count) =>
        count === 1 ? cut(response, usual(seen, kept), at) : "usual",
      );
      expectRight(fetched);
      expect(fetched.ranges).toEqual([undefined, at === 0 ? undefined : `bytes=${at}-`]);
    }
  }, 120_000);

  it("is whole when it is cut again and again, as long as each answer brings something", async () => {
    const fetched = await fetchZip({ etag: '"one"' }, (seen, response, kept, count) =>
      count <= 12 ? cut(response, usual(seen, kept), 200) : "usual",
    );
    expectRight(fetched);
    expect(fetched.ranges.at(-1)).toBe("bytes=2400-");
  });

  it("asks for a newly signed address for every piece, and sends its token to no other origin", async () => {
    await fetchZip({}, (seen, response, kept, count) => (count < 3 ? cut(response, usual(seen, kept), 50) : "usual"));
    expect(server?.storage.lines()).toEqual(["GET /stored/14?sig=1", "GET /stored/14?sig=2", "GET /stored/14?sig=3"]);
    expect(server?.storage.seen.map(({ headers }) => headers["authorization"])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(server?.api.seen.every(({ headers }) => headers["authorization"] === "token not-a-real-token")).toBe(true);
  });

  it.each([401, 403])("asks for another address when the signed one is refused with %i", async (status) => {
    const fetched = await fetchZip({}, (_seen, _response, _kept, count) =>
      count === 1 ? { status, body: { message: "Error link expired" } } : "usual",
    );
    expectRight(fetched);
    expect(server?.storage.lines()).toEqual(["GET /stored/14?sig=1", "GET /stored/14?sig=2"]);
  });

  it("says so when every signed address is refused", async () => {
    const { ran, files } = await fetchZip({}, () => ({ status: 401, body: { message: "Error unauthorized" } }));
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("Error unauthorized") });
    expect(files).toEqual([]);
  });

  it("is never spliced from two files: If-Range brings the new one whole", async () => {
    const fetched = await fetchZip({ etag: '"one"' }, async (seen, response, kept, count) => {
      if (count > 1) return "usual";
      await cut(response, usual(seen, kept), 1000);
      Object.assign(kept, { content: other, etag: '"two"' });
      return undefined;
    });
    expectRight(fetched, other);
    expect(server?.storage.seen[1]?.headers["if-range"]).toBe('"one"');
  });

  it("is never spliced from two files where If-Range is ignored", async () => {
    const fetched = await fetchZip({ etag: '"one"' }, async (seen, response, kept, count) => {
      if (count === 1) {
        await cut(response, usual(seen, kept), 1000);
        Object.assign(kept, { content: other, etag: '"two"' });
        return undefined;
      }
      const { "if-range": _ignored, ...headers } = seen.headers;
      return usual({ headers }, kept);
    });
    expectRight(fetched, other);
    expect(fetched.ranges).toEqual([undefined, "bytes=1000-", undefined]);
  });

  it("is never spliced from two files of one length without any ETag: the checksums tell", async () => {
    const twin = zip([
      { name: "noise.bin", content: randomBytes(3000), stored: true },
      { name: "docs/guide.md", content: "# The quay\n".repeat(20), descriptor: true },
    ]);
    expect(twin.length).toBe(archive.length);
    const fetched = await fetchZip({}, async (seen, response, kept, count) => {
      if (count > 1) return "usual";
      await cut(response, usual(seen, kept), 1000);
      kept.content = twin;
      return undefined;
    });
    expectRight(fetched, twin);
    expect(fetched.ranges).toEqual([undefined, "bytes=1000-", undefined]);
  });

  const answersToRange: readonly (readonly [string, Storage])[] = [
    ["200 and the whole", ({ headers: _asked, ...seen }, _response, kept) => usual({ ...seen, headers: {} }, kept)],
    ["416", () => ({ status: 416, body: "invalid start range\n" })],
    ["500", () => ({ status: 500, body: "" })],
    ["another range", (_seen, _response, kept) => usual({ headers: { range: "bytes=7-" } }, kept)],
    ["206 without saying which", (_seen, _response, kept) => ({ status: 206, body: kept.content.subarray(1000) })],
  ];
  it.each(answersToRange)("is whole when a server answers Range with %s", async (_what, answer) => {
    const fetched = await fetchZip({}, (seen, response, kept, count) => {
      if (count === 1) return cut(response, usual(seen, kept), 1000);
      return seen.headers["range"] === undefined ? "usual" : answer(seen, response, kept, count);
    });
    expectRight(fetched);
  });

  it("keeps its part when a server answers Range with a web page, says so, and goes on the next time", async () => {
    const page: Storage = (seen, response, kept, count) =>
      count === 1
        ? cut(response, usual(seen, kept), 1000)
        : { headers: { "content-type": "text/html; charset=utf-8" }, body: "<html>Sign in</html>" };
    const { ran, files, cwd } = await fetchZip({}, page);
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining("a web page instead of the file") });
    expect(files).toEqual(unfinished);
    expect(readFileSync(scratchIn(cwd).part).equals(archive.subarray(0, 1000))).toBe(true);
  });

  it("is refused when a web page of status 200 comes in its place", async () => {
    const { ran, files } = await fetchZip({}, () => ({ headers: { "content-type": "text/html" }, body: "<html>" }));
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining("a web page") });
    expect(files).toEqual([]);
  });

  it.each([
    ["something else", Buffer.from("not a zip at all")],
    ["nothing", Buffer.alloc(0)],
    ["half an archive under a length that fits", archive.subarray(0, 2000)],
  ])("is refused when it is %s, and leaves nothing behind", async (_what, body) => {
    const { ran, files } = await fetchZip({}, () => ({ headers: { "content-length": String(body.length) }, body }));
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`${body.length} bytes came`) });
    expect(files).toEqual([]);
  });

  it("says that the connection was lost when more is promised than ever comes", async () => {
    const { ran, files } = await fetchZip({}, (_seen, response) => {
      response.writeHead(200, { "content-length": String(archive.length + 100) });
      response.write(archive, () => response.socket?.destroySoon());
      return undefined;
    });
    expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining("lost") });
    expect(files).toEqual(unfinished);
  });

  it.each([
    ["less than comes", String(archive.length - 100), /damaged|no zip archive/],
    ["no number", "many", /not (speak )?HTTP|broken|lost|HTTP/],
    ["a number below zero", "-1", /HTTP|lost/],
  ])("is no artifact when its Content-Length is %s, and is said to be none", async (_what, length, words) => {
    const { ran, files } = await fetchZip({}, (_seen, response) => {
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/zip\r\ncontent-length: ${length}\r\n\r\n`;
      response.socket?.end(Buffer.concat([Buffer.from(head), archive]));
      return undefined;
    });
    expect(ran.code).toBeGreaterThan(0);
    expect(ran.stderr).toMatch(words);
    expect(files).not.toContain("docs.zip");
  });

  it.each([true, false])("is refused when a byte of it is wrong, be it stored or not (%s)", async (stored) => {
    const wrong = zip([{ name: "a", content: "tide ".repeat(100), stored, crc: 1 }]);
    const { ran, files } = await fetchZip({ content: wrong }, () => "usual");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("'a': its checksum differs") });
    expect(files).toEqual([]);
  });

  it("is whole when it comes without a length", async () => {
    expectRight(
      await fetchZip({}, (_seen, response) => {
        response.writeHead(200, { "content-type": "application/zip" });
        response.write(archive.subarray(0, 500));
        response.end(archive.subarray(500));
        return undefined;
      }),
    );
  });

  it("ends with an error when the file changes with every request", async () => {
    const { ran } = await fetchZip({}, (seen, response, kept, count) => {
      kept.etag = `"${count}"`;
      return cut(response, usual(seen, kept), 1000);
    });
    expect(ran.code).toBeGreaterThan(0);
    expect(server?.storage.seen.length).toBeLessThan(20);
  });

  it("says what the server says when there is none", async () => {
    await fetchZip({ expired: true }, () => "usual");
    const { ran } = await fetchZip({ expired: true }, () => "usual");
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Artifact has expired") });
  });
});

describe("an artifact's part from an earlier run", () => {
  /** Leaves a part of so many bytes. */
  async function interrupted(bytes: number, kept: Partial<Kept> = {}) {
    const { ran, cwd, files } = await fetchZip(kept, (seen, response, one, count) =>
      count === 1 ? cut(response, usual(seen, one), bytes) : { status: 404, body: "" },
    );
    expect(ran.code).toBe(5);
    expect(files).toEqual(unfinished);
    return { cwd, api: server?.api.url ?? "" };
  }

  /** The address is another one in each test run, so the note is made to fit the new server. */
  function moveTo(cwd: string, from: string, to: string): void {
    const { note, mark } = scratchIn(cwd);
    for (const path of [note, mark]) writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  }

  async function again(cwd: string, from: string, kept: Partial<Kept> = {}) {
    await server?.close();
    server = await serveArtifacts([{ id: 14, name: "docs", content: archive, ...kept }]);
    moveTo(cwd, from, server.api.url);
    const ran = await server.run(["download", "14", "--zip"], { cwd });
    return { ran, cwd, files: filesIn(cwd) };
  }

  it("is gone on with", async () => {
    const { cwd, api } = await interrupted(1234, { etag: '"one"' });
    const fetched = await again(cwd, api, { etag: '"one"' });
    expectRight({ ...fetched, ranges: [] });
    expect(server?.storage.seen.map(({ headers }) => headers["range"])).toEqual(["bytes=1234-"]);
  });

  it("is not asked for again when it was whole already", async () => {
    const { cwd, api } = await interrupted(archive.length - 1, { etag: '"one"' });
    writeFileSync(scratchIn(cwd).part, archive);
    expectRight({ ...(await again(cwd, api, { etag: '"one"' })), ranges: [] });
    expect(server?.storage.lines()).toEqual([]);
  });

  it("is thrown away when it is of another server, repository or artifact", async () => {
    const { cwd } = await interrupted(1234, { etag: '"one"' });
    expectRight({ ...(await again(cwd, "nowhere", { etag: '"one"' })), ranges: [] });
    expect(server?.storage.seen.map(({ headers }) => headers["range"])).toEqual([undefined]);
  });

  it("is thrown away when it is longer than the whole, or its note cannot be read", async () => {
    const { cwd, api } = await interrupted(1234);
    writeFileSync(scratchIn(cwd).part, Buffer.alloc(archive.length + 1));
    expectRight({ ...(await again(cwd, api)), ranges: [] });
    const second = await interrupted(1234);
    writeFileSync(scratchIn(second.cwd).note, "{");
    expectRight({ ...(await again(second.cwd, second.api)), ranges: [] });
  });

  it("is fetched once more from the beginning when its bytes turn out to be wrong", async () => {
    const { cwd, api } = await interrupted(1234, { etag: '"one"' });
    writeFileSync(scratchIn(cwd).part, Buffer.alloc(1234));
    expectRight({ ...(await again(cwd, api, { etag: '"one"' })), ranges: [] });
    expect(server?.storage.seen.map(({ headers }) => headers["range"])).toEqual(["bytes=1234-", undefined]);
  });
});
