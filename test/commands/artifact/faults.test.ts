import { randomBytes } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
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

/** Downloads artifact 14 as an archive into a new folder. */
async function fetchZip(kept: Partial<Kept>, broken: Storage, cwd = emptyFolder()) {
  server = await serveArtifacts([{ id: 14, name: "docs", content: archive, ...kept }], broken);
  const ran = await server.run(["download", "14", "--zip"], { cwd });
  return { ran, cwd, files: filesIn(cwd), ranges: server.storage.seen.map(({ headers }) => headers["range"]) };
}

/** The names in a folder, with the content of scratch folders instead of their random names. */
function filesIn(cwd: string): string[] {
  const scratches = scratchesIn(cwd);
  const names = readdirSync(cwd).filter((name) => name !== ".tongs-test");
  const others = names.filter((name) => !scratches.some(({ folder }) => folder === join(cwd, name)));
  return [...others, ...scratches.flatMap((one) => one.names)];
}

/** The files that are kept for the next run. */
const unfinished = ["archive.part", "archive.part.json", "scratch.json"];

/** Expects that the complete archive is the only file. */
function expectComplete({ ran, cwd, files }: Awaited<ReturnType<typeof fetchZip>>, content = archive): void {
  expect(ran).toMatchObject({ code: 0, stdout: "docs.zip\n" });
  expect(files).toEqual(["docs.zip"]);
  expect(readFileSync(join(cwd, "docs.zip")).equals(content)).toBe(true);
}

describe("an artifact from a faulty server", () => {
  it("is complete wherever the body is cut, and only the rest is requested", async () => {
    for (let round = 0; round < 200; round += 1) {
      const at = randomBytes(4).readUInt32LE(0) % archive.length;
      const etag = round % 2 === 0 ? '"one"' : undefined;
      const fetched = await fetchZip(etag ? { etag } : {}, (seen, response, kept, count) =>
        count === 1 ? cut(response, usual(seen, kept), at) : "usual",
      );
      expectComplete(fetched);
      expect(fetched.ranges).toEqual([undefined, at === 0 ? undefined : `bytes=${at}-`]);
    }
  });

  it("is complete when it is cut repeatedly, as long as each response brings new bytes", async () => {
    const fetched = await fetchZip({ etag: '"one"' }, (seen, response, kept, count) =>
      count <= 12 ? cut(response, usual(seen, kept), 200) : "usual",
    );
    expectComplete(fetched);
    expect(fetched.ranges.at(-1)).toBe("bytes=2400-");
  });

  it("gets a newly signed address for every request, and the token is not sent to another origin", async () => {
    await fetchZip({}, (seen, response, kept, count) => (count < 3 ? cut(response, usual(seen, kept), 50) : "usual"));
    expect(server?.storage.lines()).toEqual(["GET /stored/14?sig=1", "GET /stored/14?sig=2", "GET /stored/14?sig=3"]);
    expect(server?.storage.seen.map(({ headers }) => headers["authorization"])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(server?.api.seen.every(({ headers }) => headers["authorization"] === "token not-a-real-token")).toBe(true);
  });

  it.each([401, 403])("gets another address when the signed one is refused with %i", async (status) => {
    const fetched = await fetchZip({}, (_seen, _response, _kept, count) =>
      count === 1 ? { status, body: { message: "Error link expired" } } : "usual",
    );
    expectComplete(fetched);
    expect(server?.storage.lines()).toEqual(["GET /stored/14?sig=1", "GET /stored/14?sig=2"]);
  });

  it("fails when every signed address is refused", async () => {
    const { ran, files } = await fetchZip({}, () => ({ status: 401, body: { message: "Error unauthorized" } }));
    expect(ran).toMatchObject({ code: 4, stderr: expect.stringContaining("Error unauthorized") });
    expect(files).toEqual([]);
  });

  it("is never mixed from two files: If-Range gets the new one", async () => {
    const fetched = await fetchZip({ etag: '"one"' }, async (seen, response, kept, count) => {
      if (count > 1) return "usual";
      await cut(response, usual(seen, kept), 1000);
      Object.assign(kept, { content: other, etag: '"two"' });
      return undefined;
    });
    expectComplete(fetched, other);
    expect(server?.storage.seen[1]?.headers["if-range"]).toBe('"one"');
  });

  it("is never mixed from two files when If-Range is ignored", async () => {
    const fetched = await fetchZip({ etag: '"one"' }, async (seen, response, kept, count) => {
      if (count === 1) {
        await cut(response, usual(seen, kept), 1000);
        Object.assign(kept, { content: other, etag: '"two"' });
        return undefined;
      }
      const { "if-range": _ignored, ...headers } = seen.headers;
      return usual({ headers }, kept);
    });
    expectComplete(fetched, other);
    expect(fetched.ranges).toEqual([undefined, "bytes=1000-", undefined]);
  });

  it("is never mixed from two files of the same size without ETags: checksums detect it", async () => {
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
    expectComplete(fetched, twin);
    expect(fetched.ranges).toEqual([undefined, "bytes=1000-", undefined]);
  });

  const answersToRange: readonly (readonly [string, Storage])[] = [
    [
      "200 and the whole file",
      ({ headers: _asked, ...seen }, _response, kept) => usual({ ...seen, headers: {} }, kept),
    ],
    ["416", () => ({ status: 416, body: "invalid start range\n" })],
    ["500", () => ({ status: 500, body: "" })],
    ["another range", (_seen, _response, kept) => usual({ headers: { range: "bytes=7-" } }, kept)],
    ["206 without a range", (_seen, _response, kept) => ({ status: 206, body: kept.content.subarray(1000) })],
  ];
  it.each(answersToRange)("is complete when the server responds to Range with %s", async (_what, answer) => {
    const fetched = await fetchZip({}, (seen, response, kept, count) => {
      if (count === 1) return cut(response, usual(seen, kept), 1000);
      return seen.headers["range"] === undefined ? "usual" : answer(seen, response, kept, count);
    });
    expectComplete(fetched);
  });

  it("keeps its part when the server responds to Range with a web page", async () => {
    const page: Storage = (seen, response, kept, count) =>
      count === 1
        ? cut(response, usual(seen, kept), 1000)
        : { headers: { "content-type": "text/html; charset=utf-8" }, body: "<html>Sign in</html>" };
    const { ran, files, cwd } = await fetchZip({}, page);
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining("a web page instead of the file") });
    expect(files).toEqual(unfinished);
    expect(readFileSync(scratchIn(cwd).part).equals(archive.subarray(0, 1000))).toBe(true);
  });

  it("is refused when the response is a web page with status 200", async () => {
    const { ran, files } = await fetchZip({}, () => ({ headers: { "content-type": "text/html" }, body: "<html>" }));
    expect(ran).toMatchObject({ code: 7, stderr: expect.stringContaining("a web page") });
    expect(files).toEqual([]);
  });

  it.each([
    ["another file", Buffer.from("not a zip at all")],
    ["empty", Buffer.alloc(0)],
    ["half an archive with a matching length", archive.subarray(0, 2000)],
  ])("is refused when it is %s, and no files remain", async (_what, body) => {
    const { ran, files } = await fetchZip({}, () => ({ headers: { "content-length": String(body.length) }, body }));
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining(`received ${body.length} bytes`) });
    expect(files).toEqual([]);
  });

  it("reports a lost connection when the body is shorter than announced", async () => {
    const { ran, files } = await fetchZip({}, (_seen, response) => {
      response.writeHead(200, { "content-length": String(archive.length + 100) });
      response.write(archive, () => response.socket?.destroySoon());
      return undefined;
    });
    expect(ran).toMatchObject({ code: 6, stderr: expect.stringContaining("lost") });
    expect(files).toEqual(unfinished);
  });

  it.each([
    ["too small", String(archive.length - 100), /damaged|not a zip archive/],
    ["not a number", "many", /not (speak )?HTTP|broken|lost|HTTP/],
    ["negative", "-1", /HTTP|lost/],
  ])("is refused when its Content-Length is %s", async (_what, length, words) => {
    const { ran, files } = await fetchZip({}, (_seen, response) => {
      const head = `HTTP/1.1 200 OK\r\ncontent-type: application/zip\r\ncontent-length: ${length}\r\n\r\n`;
      response.socket?.end(Buffer.concat([Buffer.from(head), archive]));
      return undefined;
    });
    expect(ran.code).toBeGreaterThan(0);
    expect(ran.stderr).toMatch(words);
    expect(files).not.toContain("docs.zip");
  });

  it.each([true, false])("is refused when a checksum is wrong (stored: %s)", async (stored) => {
    const wrong = zip([{ name: "a", content: "tide ".repeat(100), stored, crc: 1 }]);
    const { ran, files } = await fetchZip({ content: wrong }, () => "usual");
    expect(ran).toMatchObject({ code: 1, stderr: expect.stringContaining("'a': the checksum does not match") });
    expect(files).toEqual([]);
  });

  it("is complete without a length", async () => {
    expectComplete(
      await fetchZip({}, (_seen, response) => {
        response.writeHead(200, { "content-type": "application/zip" });
        response.write(archive.subarray(0, 500));
        response.end(archive.subarray(500));
        return undefined;
      }),
    );
  });

  it("fails when the file changes with every request", async () => {
    const { ran } = await fetchZip({}, (seen, response, kept, count) => {
      kept.etag = `"${count}"`;
      return cut(response, usual(seen, kept), 1000);
    });
    expect(ran.code).toBeGreaterThan(0);
    expect(server?.storage.seen.length).toBeLessThan(20);
  });

  it("reports the message of the server when it has expired", async () => {
    await fetchZip({ expired: true }, () => "usual");
    const { ran } = await fetchZip({ expired: true }, () => "usual");
    expect(ran).toMatchObject({ code: 5, stderr: expect.stringContaining("Artifact has expired") });
  });
});

describe("a part of an artifact from an earlier run", () => {
  /** Leaves a part of some bytes. */
  async function interrupted(bytes: number, kept: Partial<Kept> = {}) {
    const { ran, cwd, files } = await fetchZip(kept, (seen, response, one, count) =>
      count === 1 ? cut(response, usual(seen, one), bytes) : { status: 404, body: "" },
    );
    expect(ran.code).toBe(5);
    expect(files).toEqual(unfinished);
    return { cwd, api: server?.api.url ?? "" };
  }

  /** Changes the address in the identity of the part, because each test server has its own. */
  function moveTo(cwd: string, from: string, to: string): void {
    const { note, mark } = scratchIn(cwd);
    for (const path of [note, mark]) writeFileSync(path, readFileSync(path, "utf8").replace(from, to));
  }

  async function again(cwd: string, from: string, kept: Partial<Kept> = {}) {
    server = await serveArtifacts([{ id: 14, name: "docs", content: archive, ...kept }]);
    moveTo(cwd, from, server.api.url);
    const ran = await server.run(["download", "14", "--zip"], { cwd });
    return { ran, cwd, files: filesIn(cwd) };
  }

  it("is resumed", async () => {
    const { cwd, api } = await interrupted(1234, { etag: '"one"' });
    const fetched = await again(cwd, api, { etag: '"one"' });
    expectComplete({ ...fetched, ranges: [] });
    expect(server?.storage.seen.map(({ headers }) => headers["range"])).toEqual(["bytes=1234-"]);
  });

  it("is not downloaded again when it was complete", async () => {
    const { cwd, api } = await interrupted(archive.length - 1, { etag: '"one"' });
    writeFileSync(scratchIn(cwd).part, archive);
    expectComplete({ ...(await again(cwd, api, { etag: '"one"' })), ranges: [] });
    expect(server?.storage.lines()).toEqual([]);
  });

  it("is discarded when it is for another server, repository or artifact", async () => {
    const { cwd } = await interrupted(1234, { etag: '"one"' });
    expectComplete({ ...(await again(cwd, "nowhere", { etag: '"one"' })), ranges: [] });
    expect(server?.storage.seen.map(({ headers }) => headers["range"])).toEqual([undefined]);
  });

  it("is discarded when it is longer than the file, or its identity is invalid", async () => {
    const { cwd, api } = await interrupted(1234);
    writeFileSync(scratchIn(cwd).part, Buffer.alloc(archive.length + 1));
    expectComplete({ ...(await again(cwd, api)), ranges: [] });
    const second = await interrupted(1234);
    writeFileSync(scratchIn(second.cwd).note, "{");
    expectComplete({ ...(await again(second.cwd, second.api)), ranges: [] });
  });

  it("is downloaded again from the beginning when its bytes are wrong", async () => {
    const { cwd, api } = await interrupted(1234, { etag: '"one"' });
    writeFileSync(scratchIn(cwd).part, Buffer.alloc(1234));
    expectComplete({ ...(await again(cwd, api, { etag: '"one"' })), ranges: [] });
    expect(server?.storage.seen.map(({ headers }) => headers["range"])).toEqual(["bytes=1234-", undefined]);
  });
});
