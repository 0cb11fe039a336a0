import type { BaseContext, ServerContext } from "../../app/context.ts";
import { readPassword } from "../../app/read-password.ts";
import { Failure, UsageError } from "../../failure/failure.ts";
import { Cancelled } from "../../failure/interruption.ts";
import { emailProblem, lengthProblem, maxLength, nameProblem } from "../../forge/account-rules.ts";
import type { CreateUserOption } from "../../forge/generated/operations.ts";
import { call } from "../../forge/operation.ts";
import { userGet } from "../../forge/users.ts";
import { HttpError } from "../../http/errors.ts";
import { addressText } from "../../profiles/server.ts";
import { capitalized } from "../../text/format.ts";
import { generatePassword } from "./password.ts";
import { parseTime, rejectProblems } from "./rules.ts";

/** The user to create. */
interface NewUser {
  readonly option: CreateUserOption;
  readonly admin: boolean;
  /** The password, if tongs generated it. */
  readonly generated: string | undefined;
}

interface CreateFlags {
  readonly email: string | undefined;
  readonly fullName: string | undefined;
  readonly passwordStdin: boolean;
  readonly passwordFile: string | undefined;
  readonly generatePassword: boolean;
  readonly noMustChangePassword: boolean;
  readonly admin: boolean;
  readonly restricted: boolean;
  readonly visibility: CreateUserOption["visibility"];
  readonly sourceId: number | undefined;
  readonly loginName: string | undefined;
  readonly notify: boolean;
  readonly createdAt: string | undefined;
}

type Context = Pick<BaseContext, "prompt" | "system" | "options" | "out"> &
  ServerContext & { readonly args: { readonly name: string | undefined }; readonly flags: CreateFlags };

/** Checks the flags and prompts for missing values. Writes nothing. Throws a usage error, or `Cancelled`. */
export async function readNewUser(context: Context): Promise<NewUser> {
  const { args, flags, prompt } = context;
  rejectProblems(
    args.name === undefined ? undefined : nameProblem(args.name),
    flags.email === undefined ? undefined : emailProblem(flags.email),
    lengthProblem("full_name", flags.fullName ?? ""),
  );
  const created_at = flags.createdAt === undefined ? undefined : parseTime(flags.createdAt, "--created-at");
  const given = await readPassword(flags, context.system);
  const isLocal = (flags.sourceId ?? 0) === 0;
  if (!prompt.able) requireFlags(context, given !== undefined || flags.generatePassword || !isLocal);
  const isInteractive = args.name === undefined || flags.email === undefined;

  // Before the other questions.
  const taken =
    args.name !== undefined && isInteractive && prompt.able ? await takenName(context, args.name) : undefined;
  if (taken !== undefined) throw new Failure("exists", taken);
  const username =
    args.name ??
    (await prompt.text({ message: "Username", flag: "NAME", check: (name) => checkNewName(context, name) }));
  const email =
    flags.email ?? (await prompt.text({ message: "Email address", flag: "--email", check: validator(emailProblem) }));
  const password = await choosePassword(context, given, isLocal);
  const mustChange =
    isInteractive && password.prompted && !flags.noMustChangePassword
      ? await prompt.confirm({
          message: "Require a password change at the first sign-in?",
          flag: "--no-must-change-password",
          default: true,
        })
      : !flags.noMustChangePassword;
  const admin =
    flags.admin ||
    (isInteractive &&
      prompt.able &&
      (await prompt.confirm({ message: "Make the user an administrator?", flag: "--admin" })));

  const newUser: NewUser = {
    generated: password.generated,
    admin,
    option: {
      username,
      email,
      full_name: flags.fullName,
      password: password.value,
      must_change_password: password.value === undefined ? undefined : mustChange,
      restricted: flags.restricted || undefined,
      visibility: flags.visibility,
      source_id: flags.sourceId,
      login_name: flags.loginName,
      send_notify: flags.notify || undefined,
      created_at,
    },
  };
  if (isInteractive || password.prompted) await confirmSummary(context, newUser);
  return newUser;
}

/** Throws a usage error that names all missing values, as prompting is not possible. */
function requireFlags({ args, flags, system }: Context, hasPassword: boolean): void {
  // Programs that use tools have no password files.
  const ways = `--password-stdin${system.confine === undefined ? ", --password-file" : ""} or --generate-password`;
  const missing = [
    args.name === undefined ? "NAME" : "",
    flags.email === undefined ? "--email" : "",
    hasPassword ? "" : `a password (${ways})`,
  ].filter((part) => part !== "");
  if (missing.length > 0) {
    throw new UsageError(
      `${listed(missing)} ${missing.length > 1 ? "are" : "is"} required when not running interactively`,
      "For all flags, run: tongs user create --help",
    );
  }
}

/** `a`, `a and b`, or `a, b and c`. */
function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

interface Password {
  readonly value: string | undefined;
  readonly generated: string | undefined;
  /** Whether it was typed or chosen at a prompt. */
  readonly prompted: boolean;
}

async function choosePassword(
  { flags, prompt }: Context,
  given: string | undefined,
  isLocal: boolean,
): Promise<Password> {
  const generated = (prompted: boolean): Password => {
    const value = generatePassword();
    return { value, generated: value, prompted };
  };
  if (given !== undefined) return { value: given, generated: undefined, prompted: false };
  if (flags.generatePassword) return generated(false);
  if (!isLocal) return { value: undefined, generated: undefined, prompted: false };
  const flag = "--password-stdin";
  const choices = [
    { name: "Enter a password", value: "enter" as const },
    { name: "Generate a password and print it once", value: "generate" as const },
  ];
  const choice = await prompt.select({ message: "How do you want to set the password?", flag, choices });
  if (choice === "generate") return generated(true);
  const value = await prompt.password({ message: "Password", flag, check: validator(passwordProblem) });
  const same = (typed: string) => typed === value || "The passwords do not match";
  await prompt.password({ message: "Confirm password", flag, check: same });
  return { value, generated: undefined, prompted: true };
}

/** Why a server with default settings would reject a password, or undefined. */
function passwordProblem(password: string): string | undefined {
  if (password.length < 8) return "Password must be at least 8 characters";
  return password.length > maxLength.password ? `Password must be at most ${maxLength.password} characters` : undefined;
}

/** Whether a name is valid and free, as a rule for a prompt. */
async function checkNewName(context: Context, name: string): Promise<true | string> {
  const valid = validator(nameProblem)(name);
  return valid === true ? ((await takenName(context, name)) ?? true) : valid;
}

/** Says that a name is taken; undefined if it is free, or if the server does not tell. */
async function takenName({ http, server }: Context, name: string): Promise<string | undefined> {
  try {
    const { login } = await call(http, userGet, { username: name });
    return `The name ${login} is already taken on ${server.base.host}`;
  } catch (error) {
    if (error instanceof HttpError) return undefined;
    throw error;
  }
}

/** A rule for a prompt, from a function that returns the problem of a value. */
function validator(problem: (value: string) => string | undefined): (value: string) => true | string {
  return (value) => {
    const found = problem(value);
    return found === undefined || capitalized(found);
  };
}

async function confirmSummary(
  { prompt, options, out, server }: Context,
  { option, admin, generated }: NewUser,
): Promise<void> {
  const password = option.password === undefined ? "none" : generated === undefined ? "as entered" : "generated";
  const change = option.must_change_password === true ? ", change required at the first sign-in" : "";
  const lines = [
    `  name      ${option.username}${option.full_name === undefined ? "" : ` (${option.full_name})`}`,
    `  email     ${option.email}`,
    `  password  ${password}${change}`,
    `  role      ${admin ? "administrator" : option.restricted ? "restricted user" : "user"}`,
    `  server    ${addressText(server.base)}`,
  ];
  out.note(lines.join("\n"));
  if (options.yes) return;
  if (!(await prompt.confirm({ message: "Create this user?", flag: "--yes", default: true }))) throw new Cancelled();
}
