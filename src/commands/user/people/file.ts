import { CheckedYaml } from "../../../app/checked-yaml.ts";
import { readFileFlag } from "../../../app/input.ts";
import { parseYaml, type Yaml, type YamlFile } from "../../../app/yaml-file.ts";
import type { System } from "../../../system/system.ts";

/** A file of people, YAML or JSON. */
export class PeopleFile extends CheckedYaml {
  readonly top: ReadonlyMap<string, Yaml>;

  constructor(name: string, { value, find }: YamlFile, keys: readonly string[]) {
    super(name, find);
    this.top = this.map(value, [], keys);
  }

  /** The people under `users`: a map by name, or a list of names, with their own settings. */
  users(keys: readonly string[]): ReadonlyMap<string, ReadonlyMap<string, Yaml>> {
    const users = this.top.get("users");
    if (users === undefined) this.fault(["users"], "is missing");
    if (!Array.isArray(users)) {
      const found = this.map(users, ["users"]);
      this.single(found.keys(), ["users"]);
      return new Map([...found].map(([name, value]) => [name, this.map(value, ["users", name], keys)]));
    }
    const names = this.texts(users, ["users"]);
    this.single(names, ["users"]);
    return new Map(names.map((name) => [name, new Map<string, Yaml>()]));
  }
}

/** Reads a file of people with these keys at its top. */
export async function readPeopleFile(file: string, keys: readonly string[], system: System): Promise<PeopleFile> {
  const name = file === "-" ? "stdin" : file;
  return new PeopleFile(name, await parseYaml(await readFileFlag("FILE", file, system), name), keys);
}
