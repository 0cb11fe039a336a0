import type { Questions } from "../../src/system/system.ts";

/**
 * Prompts that are answered from a list. If a prompt rejects an answer, it takes the next one; without an answer left, it
 * is cancelled like by Ctrl-C. A prompt for several choices takes their names, separated by ", ". `meanwhile` happens before
 * each text, yes or no.
 */
export function scripted(
  answers: readonly (string | boolean)[],
  meanwhile?: () => Promise<unknown>,
): {
  readonly questions: Questions;
  readonly asked: readonly string[];
} {
  const asked: string[] = [];
  const left = [...answers];
  const next = (message: string): string | boolean => {
    // They are wrapped to the width of the terminal.
    asked.push(message.replace(/\s*\n\s*/g, " ").trimEnd());
    const answer = left.shift();
    if (answer === undefined) throw Object.assign(new Error("Ctrl-C"), { name: "ExitPromptError" });
    return answer;
  };
  const typed = async (config: {
    message: string;
    default?: string | undefined;
    validate?: ((value: string) => boolean | string | Promise<string | boolean>) | undefined;
  }): Promise<string> => {
    for (;;) {
      const answer = next(config.message);
      await meanwhile?.();
      if (typeof answer !== "string") throw new Error(`'${config.message}' wants text, not ${answer}`);
      const value = answer === "" ? (config.default ?? "") : answer;
      if (config.validate === undefined || (await config.validate(value)) === true) return value;
    }
  };
  const questions: Questions = {
    input: (config) => typed({ message: config.message, default: config.default, validate: config.validate }),
    password: (config) => typed({ message: config.message, validate: config.validate }),
    async confirm(config) {
      const answer = next(config.message);
      await meanwhile?.();
      if (typeof answer !== "boolean") throw new Error(`'${config.message}' wants yes or no, not ${answer}`);
      return answer;
    },
    async select(config) {
      return named(config.message, config.choices, next(config.message));
    },
    async checkbox(config) {
      const answer = next(config.message);
      if (typeof answer !== "string") throw new Error(`'${config.message}' wants names, not ${answer}`);
      const wanted = answer === "" ? [] : answer.split(", ");
      return wanted.map((name) => named(config.message, config.choices, name));
    },
    async search(config) {
      const answer = next(config.message);
      if (typeof answer !== "string") throw new Error(`'${config.message}' wants text, not ${answer}`);
      return named(config.message, await config.source(answer, { signal: new AbortController().signal }), answer);
    },
  };
  return { questions, asked };
}

/** The value of the choice with this name, or of the first one whose name begins with it. */
function named<Value>(message: string, choices: readonly unknown[], answer: string | boolean): Value {
  const all = choices.filter(isChoice<Value>);
  const found = all.find(({ name }) => name === answer) ?? all.find(({ name }) => name?.startsWith(`${answer} `));
  if (found === undefined) throw new Error(`'${message}' has no choice '${answer}'`);
  return found.value;
}

function isChoice<Value>(choice: unknown): choice is { readonly name?: string; readonly value: Value } {
  return typeof choice === "object" && choice !== null && "value" in choice;
}
