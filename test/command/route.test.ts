import { describe, expect, it } from "vitest";
import { route } from "../../src/command/route.ts";
import { sampleAliases, sampleTable } from "../docs/sample.ts";

/** The command of a command line, and the rest. */
async function led(line: string): Promise<string> {
  const found = await route(line.split(" "), sampleTable, sampleAliases);
  return found.to === "command" ? `${found.words.join(" ")}: ${found.rest.join(" ")}` : found.to;
}

describe("routing", () => {
  it("finds the verb below its nouns; the rest are flags and arguments", async () => {
    expect(await led("crate list --state open")).toBe("crate list: --state open");
    expect(await led("crate side turn-over 7 red")).toBe("crate side turn-over: 7 red");
    expect(await led("load a b")).toBe("load: a b");
  });

  it("accepts global flags before the noun and before the verb", async () => {
    expect(await led("-R mara/harbor --debug crate --limit 5 list --all")).toBe(
      "crate list: -R mara/harbor --debug --limit 5 --all",
    );
    expect(await led("--sudo emp01 crate --sudo emp01 list")).toBe("crate list: --sudo emp01 --sudo emp01");
    expect(await led("--repo=mara/harbor crate list")).toBe("crate list: --repo=mara/harbor");
  });

  it("accepts --json before the noun, with and without fields", async () => {
    expect(await led("--json crate list")).toBe("crate list: --json=");
    expect(await led("--json id,name crate list")).toBe("crate list: --json=id,name");
    expect(await led("crate --json list id")).toBe("crate list: --json= id");
  });

  it("uses the default verb of a noun", async () => {
    expect(await led("hoist mara/harbor")).toBe("hoist add: mara/harbor");
    expect(await led("hoist --from here mara/harbor")).toBe("hoist add: --from here mara/harbor");
    expect(await led("hoist remove mara/harbor")).toBe("hoist remove: mara/harbor");
    expect(await led("hoist --help")).toBe("group");
  });

  it("resolves aliases of verbs and commands, also with flags between their words", async () => {
    expect(await led("crate ls")).toBe("crate list: ");
    expect(await led("hoist rm x")).toBe("hoist remove: x");
    expect(await led("lower x")).toBe("hoist remove: x");
    expect(await led("crate --debug colour 7 red")).toBe("crate paint: --debug 7 red");
  });

  it("does not resolve inherited property names", async () => {
    for (const word of ["constructor", "toString", "__proto__"]) {
      expect(await led(word)).toBe("unknown");
      expect(await led(`crate ${word}`)).toBe("unknown");
    }
  });
});
