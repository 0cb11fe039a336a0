import type { Questions } from "../../src/system/system.ts";

/**
 * Prompts that are answered from a list. If a prompt rejects an answer, it takes the next one; without an answer left, it
 * is cancelled like by Ctrl-C.
 */
export function scripted(answers: readonly (string | boolean)[]): {
  readonly questions: Questions;
  readonly asked: readonly string[];
} {
  const asked: string[] = [];
  const left = [...answers];
  const next = (message: string): string | boolean => {
    asked.push(message);
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
      if (typeof answer !== "boolean") throw new Error(`'${config.message}' wants yes or no, not ${answer}`);
      return answer;
    },
    async select(config) {
      const answer = next(config.message);
      for (const choice of config.choices) {
        if (typeof choice === "object" && choice !== null && "value" in choice && choice.name === answer) {
          return choice.value;
        }
      }
      throw new Error(`'${config.message}' has no choice '${answer}'`);
    },
  };
  return { questions, asked };
}
