import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { checkForm, gitRefName, max, url } from "../../src/sandbox/http/form.ts";
import { testSandbox } from "./with-sandbox.ts";

const release = { product: "gitea", version: "1.27" } as const;
const option = {
  release,
  record: "CreateIssueOption",
  rules: { title: [gitRefName], body: [url] },
};

test.each([
  [{ title: "" }, "[Title]: Required"],
  [{ title: "a..b" }, "[Title]: GitRefName"],
  [{ title: "a", body: "x" }, "[Body]: Url"],
  [
    { title: "a", labels: ["x"] },
    "[]: json: cannot unmarshal string into Go struct field CreateIssueOption.labels of type int64",
  ],
  [{ title: "a", due_date: "2027-02-29T00:00:00Z" }, '[]: parsing time "2027-02-29T00:00:00Z": out of range'],
  [[], "[]: json: cannot unmarshal array into Go value of type structs.CreateIssueOption"],
])("the body %j is refused with %s", (body, wrong) => {
  expect(() => checkForm(option, body)).toThrow(wrong);
});

test("the fields of a record in a body are checked, too", () => {
  const file = { release, record: "UpdateFileOptions", rules: { name: [max(3)] } };
  expect(() => checkForm(file, { content: "", sha: "", author: { name: "long" } })).toThrow("[Name]: MaxSize");
});

test("null counts as absent, keys are case-insensitive, unknown keys are ignored", () => {
  expect(checkForm(option, { TITLE: "a", body: null, more: 1 })).toEqual({ title: "a" });
});

test("git requests can be compressed", async () => {
  const sandbox = await testSandbox();
  const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
  const response = await fetch(`${sandbox.url}/mara/harbor.git/git-upload-pack`, {
    method: "POST",
    headers: {
      "Content-Type": "application/x-git-upload-pack-request",
      "Content-Encoding": "gzip",
      "Git-Protocol": "version=2",
    },
    body: new Uint8Array(gzipSync(`${packet("command=ls-refs\n")}0001${packet("ref-prefix refs/heads/main\n")}0000`)),
  });
  expect(await response.text()).toMatch(/^[0-9a-f]{4}[0-9a-f]{40} refs\/heads\/main\n0000$/);
});
