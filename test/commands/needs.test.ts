import { describe, expect, it } from "vitest";
import { allCommands } from "../../src/command/write-help.ts";
import { table } from "../../src/commands/index.ts";
import { placedOperations } from "../../src/forge/all-operations.ts";
import { placed, sinceOf } from "../../src/forge/support.ts";

const generator = "../../scripts/generate/usage.mjs";
const { usage } = (await import(generator)) as {
  usage(names: ReadonlySet<string>): Map<string, Map<string, number>>;
};

/** Operations that not all releases have, and that no command needs, by the reason. */
const unneeded: Readonly<Record<string, readonly string[]>> = {
  "the other product has an operation of another name": [
    ...["blockAdd", "blockList", "blockRemove", "blockedIdList", "userBlock", "userUnblock"],
    ...["orgBlockCheck", "orgBlockList", "orgBlockRemove", "orgBlockedIdList"],
    ...["orgUserBlock", "orgUserUnblock", "forkSyncGet"],
    ...["registrationTokenCreate", "registrationTokenGet", "serverRegistrationTokenGet"],
  ],
  "it is done with others where it is missing": [
    ...["contentsPost", "severalContentsGet", "extendedContentsGet", "extendedRootGet"],
    ...["runnerRegister", "userTokenCreate", "userTokenDelete", "userTokenList"],
    ...["packageDeleteAll", "packageLatestGet", "packageVersionList", "runLogs", "workflowRunList", "jobGet"],
    ...["issueAssigneeAdd", "issueAssigneeRemove", "commitCompare", "compareText", "hashCompare", "wholeCompare"],
  ],
  "only some arguments need it": ["actorFollow", "userEmailList"],
  "what it tells is left out where it is missing": ["nodeInfoGet", "sshSigningKeyGet", "tokenGet", "tokenRevoke"],
  "only some levels lack it": ["secretList"],
  "it came with another that is needed": ["jobRerun", "runRerunFailed", "variableUpdate"],
};

describe("the operations that commands need", async () => {
  const commands = await allCommands(table);
  const partial = placedOperations.flatMap(({ name, operation: { method }, path }) => {
    const key = `${method} ${path}`;
    return sinceOf(key) === undefined ? [] : [{ name, key }];
  });
  const keysOf = new Set(partial.map(({ key }) => key));
  const needed = commands.flatMap(({ words, command: { needs = [], flags } }) => {
    const all = [...needs, ...Object.values(flags).flatMap((flag) => flag.needs ?? [])];
    const keys = placed(all).filter((key) => keysOf.has(key));
    return keys.map((key) => ({ words: words.join(" "), key }));
  });

  it("are sent by them", () => {
    const sent = usage(new Set(partial.map(({ name }) => name)));
    const isSent = (words: string, key: string) =>
      partial.some((one) => one.key === key && sent.get(words)?.has(one.name) === true);
    expect(needed.filter(({ words, key }) => !isSent(words, key))).toEqual([]);
  });

  it("are all that not all releases have, but those that commands can do without", () => {
    const keys = new Set(needed.map(({ key }) => key));
    const names = new Set(partial.filter(({ key }) => !keys.has(key)).map(({ name }) => name));
    expect([...names].sort()).toEqual(Object.values(unneeded).flat().sort());
  });
});
