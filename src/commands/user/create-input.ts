import type { BaseContext } from "../../app/context.ts";
import { bodyOf, flagsOf } from "../../app/fields.ts";
import { readPassword } from "../../app/read-password.ts";
import { type FlagValues, inputFile, text, toggle } from "../../command/flags.ts";
import { moment } from "../../command/time-flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { Cancelled } from "../../failure/interruption.ts";
import { emailProblem, maxLength, nameProblem } from "../../forge/account-rules.ts";
import type { CreateUserOption } from "../../forge/generated/operations.ts";
import { addressText, type Server } from "../../profiles/server.ts";
import { capitalized } from "../../text/format.ts";
import { listed } from "../../text/words.ts";
import { accountFields } from "./fields.ts";
import { generatePassword } from "./password.ts";
import { rejectProblems } from "./rules.ts";

/** The user to create. */
interface NewUser {
  readonly option: CreateUserOption;
  readonly admin: boolean;
  /** The password, if tongs generated it. */
  readonly generated: string | undefined;
}

const { full_name, visibility, source_id, login_name } = accountFields;
const fields = flagsOf({ full_name, visibility, source_id, login_name });

export const createFlags = {
  email: text("email address", { placeholder: "EMAIL" }),
  ...fields,
  passwordStdin: toggle("read the password from stdin", { readsStdin: true, names: "password" }),
  passwordFile: inputFile("read the password from a file", { names: "password" }),
  generatePassword: toggle("generate a password and print it"),
  noMustChangePassword: toggle("do not require a password change at the first sign-in"),
  admin: toggle("make the user an administrator"),
  restricted: toggle("limit the user to explicitly granted organizations and repositories"),
  notify: toggle("notify the user by email"),
  createdAt: moment("time of creation, to backdate it"),
};

interface Context extends Pick<BaseContext, "prompt" | "system" | "options" | "out"> {
  readonly server: Server;
  readonly args: { readonly name: string | undefined };
  readonly flags: FlagValues<typeof createFlags>;
}

/** Checks the flags and prompts for missing values. Writes nothing. Throws a usage error, or `Cancelled`. */
export async function readNewUser(context: Context): Promise<NewUser> {
  const { args, flags, prompt } = context;
  rejectProblems({ username: args.name, email: flags.email, full_name: flags.fullName });
  const given = await readPassword(flags, context.system);
  const isLocal = (flags.sourceId ?? 0) === 0;
  if (!prompt.able) requireFlags(context, given !== undefined || flags.generatePassword || !isLocal);
  const username =
    args.name ?? (await prompt.text({ message: "Username", flag: "NAME", check: validator(nameProblem) }));
  const email =
    flags.email ?? (await prompt.text({ message: "Email address", flag: "--email", check: validator(emailProblem) }));
  const isAsked = given === undefined && !flags.generatePassword && isLocal;
  const isGenerated = flags.generatePassword || (isAsked && (await askGenerate(context)));
  const generated = isGenerated ? generatePassword() : undefined;
  const password = given ?? generated ?? (isLocal ? await askPassword(context) : undefined);
  const isInteractive = prompt.able && (args.name === undefined || flags.email === undefined);
  const keepsPassword = flags.noMustChangePassword || (isInteractive && isAsked && !(await askMustChange(context)));
  const admin = flags.admin || (isInteractive && (await askAdmin(context)));
  const newUser: NewUser = {
    generated,
    admin,
    option: {
      ...bodyOf(fields, flags),
      username,
      email,
      password,
      must_change_password: password === undefined ? undefined : !keepsPassword,
      restricted: flags.restricted || undefined,
      send_notify: flags.notify || undefined,
      created_at: flags.createdAt,
    },
  };
  if (isInteractive || isAsked) await confirmSummary(context, newUser);
  return newUser;
}

/** Throws a usage error that names all missing values, as prompting is not possible. */
function requireFlags({ args, flags, system }: Context, hasPassword: boolean): void {
  // Programs that use tools read no passwords.
  const ways = `${system.confine === undefined ? "--password-stdin, --password-file or " : ""}--generate-password`;
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

const passwordFlag = { flag: "--password-stdin" };

function askGenerate({ prompt }: Context): Promise<boolean> {
  const choices = [
    { name: "Enter a password", value: false },
    { name: "Generate a password and print it once", value: true },
  ];
  return prompt.select({ message: "How do you want to set the password?", ...passwordFlag, choices });
}

async function askPassword({ prompt }: Context): Promise<string> {
  const check = validator(passwordProblem);
  const password = await prompt.password({ message: "Password", ...passwordFlag, check });
  const same = (typed: string) => typed === password || "The passwords do not match";
  await prompt.password({ message: "Confirm password", ...passwordFlag, check: same });
  return password;
}

function askMustChange({ prompt }: Context): Promise<boolean> {
  const message = "Require a password change at the first sign-in?";
  return prompt.confirm({ message, flag: "--no-must-change-password", default: true });
}

function askAdmin({ prompt }: Context): Promise<boolean> {
  return prompt.confirm({ message: "Make the user an administrator?", flag: "--admin" });
}

/** Shows the user to create, and asks. Throws `Cancelled` on a no. */
async function confirmSummary({ prompt, options, out, server }: Context, user: NewUser): Promise<void> {
  const { option, admin, generated } = user;
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

/** Why a server with default settings would reject a password, or undefined. */
function passwordProblem(password: string): string | undefined {
  if (password.length < 8) return "Password must be at least 8 characters";
  return password.length > maxLength.password ? `Password must be at most ${maxLength.password} characters` : undefined;
}

/** A rule for a prompt, from a function that returns the problem of a value. */
function validator(problem: (value: string) => string | undefined): (value: string) => true | string {
  return (value) => {
    const found = problem(value);
    return found === undefined || capitalized(found);
  };
}
