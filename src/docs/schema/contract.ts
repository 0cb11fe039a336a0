import { type Flags, kebab } from "../../command/flags.ts";
import { globalFlags } from "../../command/global-flags.ts";
import { ownExits, usage } from "../../command/help.ts";
import type { CommandSpec } from "../../command/spec.ts";
import { environment } from "../../command/topics.ts";
import { exitList } from "../../failure/exit-list.ts";
import {
  anything,
  type Infer,
  integer,
  list,
  map,
  nullable,
  optional,
  record,
  string,
  words,
} from "../../shape/shape.ts";
import { version } from "../../system/files.ts";
import { aliasSchemas, schemaOfArg, schemaOfFlag, schemaOfShape } from "./json-schema.ts";

const exit = record({ code: integer, name: string, meaning: string });

/** A command. `arguments`, `flags` and `output` are JSON Schemas. */
const commandContract = record({
  /** Its name, without `tongs`. */
  command: string,
  summary: string,
  details: optional(string),
  usage: string,
  /** Whether it changes data; `destroy` prompts for confirmation unless `--yes` is given. */
  effect: words("read", "write", "destroy"),
  /** What it works on: a repository and its server, a server, profiles or nothing. */
  needs: words("repository", "server", "profiles", "nothing"),
  arguments: map(anything),
  flags: map(anything),
  /** Groups of flags of which at most one can be given. */
  exclusive: list(list(string)),
  /** The record that JSON output prints. */
  output: nullable(map(anything)),
  /** The exit codes with a specific meaning for this command. */
  exit_codes: list(exit),
  examples: list(record({ what: string, line: string })),
});

/** The JSON object on stderr that an error is. */
export const errorContract = record({
  error: record({
    /** One of `errors`. */
    code: string,
    message: string,
    hint: optional(string),
    status: optional(integer),
    method: optional(string),
    path: optional(string),
    request: optional(string),
    /** Of `ignored`: the fields that the server did not apply. */
    fields: optional(list(record({ name: string, requested: nullable(anything), actual: nullable(anything) }))),
    /** The one of several targets that failed. */
    target: optional(string),
  }),
});

/**
 * The version of what programs rely on: a command, argument, flag, field, exit code or error code that goes, or changes its
 * name, type or meaning, makes the next one. What is added does not.
 */
const schemaVersion = 1;

/** The selected commands, and what all commands have in common. */
export const contract = record({
  schema_version: integer,
  version: string,
  global_flags: map(anything),
  exit_codes: list(exit),
  /** The codes of errors; each belongs to one exit code. */
  errors: list(record({ code: string, exit_code: integer, meaning: string })),
  /** The JSON Schema of an error. */
  error: map(anything),
  environment: list(record({ name: string, meaning: string })),
  commands: list(commandContract),
});

/** Describes commands: the output of `tongs schema`. */
export function contractOf(
  commands: readonly { readonly words: readonly string[]; readonly command: CommandSpec }[],
): Infer<typeof contract> {
  const exits = exitList();
  return {
    schema_version: schemaVersion,
    version,
    global_flags: flagSchemas(globalFlags),
    exit_codes: exits.map(({ code, name, meaning }) => ({ code, name, meaning })),
    errors: exits.flatMap((one) => one.errors.map(({ code, meaning }) => ({ code, exit_code: one.code, meaning }))),
    error: schemaOfShape(errorContract),
    environment: environment.map(([name, meaning]) => ({ name, meaning })),
    commands: commands.map(({ words, command }) => commandOf(words, command)),
  };
}

function commandOf(words: readonly string[], command: CommandSpec): Infer<typeof commandContract> {
  const args = Object.entries(command.args);
  return {
    command: words.join(" "),
    summary: command.summary,
    ...(command.details === undefined ? {} : { details: command.details }),
    usage: usage(words, command),
    effect: command.effect,
    needs: command.on,
    arguments: {
      type: "object",
      properties: Object.fromEntries(args.map(([key, arg]) => [kebab(key), schemaOfArg(arg)])),
      required: args.filter(([, arg]) => arg.count === "one" || arg.count === "many").map(([key]) => kebab(key)),
      additionalProperties: false,
    },
    flags: flagSchemas(command.flags),
    exclusive: (command.exclusive ?? []).map((keys) => keys.map((key) => `--${kebab(key)}`)),
    output: command.output === undefined ? null : schemaOfShape(command.output),
    exit_codes: ownExits(command),
    examples: command.examples.map(([what, line]) => ({ what, line })),
  };
}

function flagSchemas(flags: Flags): Record<string, unknown> {
  return {
    type: "object",
    properties: Object.fromEntries(
      Object.entries(flags).flatMap(([key, flag]) => [
        [kebab(key), schemaOfFlag(key, flag)],
        ...aliasSchemas(key, flag),
      ]),
    ),
    additionalProperties: false,
  };
}
