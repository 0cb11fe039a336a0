import { describe, expect, it } from "vitest";
import { jsonText, parseJson } from "../../src/text/json.ts";

describe("JSON", () => {
  it("keeps every digit of an integer beyond 2^53, at any position", async () => {
    for (let before = 0; before < 40; before += 1) {
      const text = `{"a":"${"x".repeat(before)}","id":9007199254740993,"min":-9007199254740993}`;
      const value = (await parseJson(text)) as { readonly id: unknown; readonly min: unknown };
      expect([value.id, value.min]).toEqual([9007199254740993n, -9007199254740993n]);
      expect(jsonText(value)).toBe(text);
      const spaced = `{"a":"${"x".repeat(before)}", "list": [1, -9007199254740993,\n\t9007199254740995]}`;
      expect(await parseJson(spaced)).toMatchObject({ list: [1, -9007199254740993n, 9007199254740995n] });
    }
    expect(await parseJson("-9007199254740993")).toBe(-9007199254740993n);
  });

  it("does not change other numbers or digits in strings", async () => {
    const text = '{"safe":9007199254740991,"half":0.1234567890123456789,"big":1e300,"text":"12345678901234567890"}';
    expect(await parseJson(text)).toEqual(JSON.parse(text));
  });

  it("parses the first value if more text follows, and throws if it is incomplete", async () => {
    expect(await parseJson('{"a":"}\\"{"} null')).toEqual({ a: '}"{' });
    expect(await parseJson("[[1],[2]]<html>")).toEqual([[1], [2]]);
    for (const broken of ["", "{", "nonsense {} x", "[1,2", '{"a":tru}']) {
      await expect(parseJson(broken)).rejects.toThrow(SyntaxError);
    }
  });

  it("refuses what is nested too deeply before it is parsed, whatever follows", async () => {
    for (const start of ["[", '{"a":', '["\\\\",'])
      await expect(parseJson(start.repeat(1001))).rejects.toThrow("levels deep");
    expect(await parseJson(`${"[".repeat(1000)}"[{\\"["${"]".repeat(1000)}`)).toBeDefined();
  });

  it("serializes nested large integers, and never a string as an integer", () => {
    expect(jsonText([5n], 2)).toBe("[\n  5\n]");
    for (const text of ["\u00000\u0000", "\u0000\u00000\u0000", "\u0000", 'x"\u00000\u0000"y', '"\u0000\u0000']) {
      expect(jsonText({ text })).toBe(JSON.stringify({ text }));
      expect(jsonText({ a: [1n, { b: 2n ** 70n }], text })).toBe(
        `{"a":[1,{"b":1180591620717411303424}],"text":${JSON.stringify(text)}}`,
      );
    }
  });
});
