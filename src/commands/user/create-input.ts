import type { BaseContext, ServerContext } from "../../app/context.ts";
import { UsageError } from "../../failure/failure.ts";
import { Cancelled } from "../../failure/interruption.ts";
import type { CreateUserOption, Visibility } from "../../forge/admin-users.ts";
import { addressText } from "../../profiles/server.ts";
import { generatePassword, givenPassword } from "./password.ts";
import { instant, longest, refuseWrong, wrongEmail, wrongLength, wrongName } from "./rules.ts";

/** An account as it is to be created. */
interface NewAccount {
  readonly option: CreateUserOption;
  readonly admin: boolean;
  /** The password, when tongs made it. */
  readonly generated: string | undefined;
}

interface Given {
  readonly email: string | undefined;
  readonly fullName: string | undefined;
  readonly passwordStdin: boolean;
  readonly passwordFile: string | undefined;
  readonly generatePassword: boolean;
  readonly noMustChangePassword: boolean;
  readonly admin: boolean;
  readonly restricted: boolean;
  readonly visibility: Visibility | undefined;
  readonly sourceId: number | undefined;
  readonly loginName: string | undefined;
  readonly notify: boolean;
  readonly createdAt: string | undefined;
}

type Context = Pick<BaseContext, "prompt" | "system" | "options" | "out"> &
  ServerContext & { readonly args: { readonly name: string | undefined }; readonly flags: Given };

/** Checks what was given, and asks a person for the rest. Nothing is sent. Throws a usage error, or `Cancelled`. */
export async function completeAccount(context: Context): Promise<NewAccount> {
  const { args, flags, prompt } = context;
  refuseWrong(
    args.name === undefined ? undefined : wrongName(args.name),
    flags.email === undefined ? undefined : wrongEmail(flags.email),
    wrongLength("full_name", flags.fullName ?? ""),
  );
  const created_at = flags.createdAt === undefined ? undefined : instant(flags.createdAt, "--created-at");
  const given = await givenPassword(flags, context.system);
  const local = (flags.sourceId ?? 0) === 0;
  if (!prompt.able) nameMissing(context, given !== undefined || flags.generatePassword || !local);
  const asked = args.name === undefined || flags.email === undefined;

  const username = args.name ?? (await prompt.text({ message: "Name:", flag: "NAME", check: ruled(wrongName) }));
  const email = flags.email ?? (await prompt.text({ message: "Mail:", flag: "--email", check: ruled(wrongEmail) }));
  const password = await choosePassword(context, given, local);
  const chosen = asked && password.asked;
  const mustChange = await (chosen && !flags.noMustChangePassword
    ? prompt.confirm({
        message: "Must it be changed at the first sign-in?",
        flag: "--no-must-change-password",
        default: true,
      })
    : !flags.noMustChangePassword);
  const admin =
    flags.admin || (asked && prompt.able && (await prompt.confirm({ message: "Administrator?", flag: "--admin" })));

  const account: NewAccount = {
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
  if (asked || password.asked) await confirmSummary(context, account);
  return account;
}

/** Nobody can be asked: everything that is missing is named at once. */
function nameMissing({ args, flags }: Context, hasPassword: boolean): void {
  const missing = [
    args.name === undefined ? "NAME" : "",
    flags.email === undefined ? "--email" : "",
    hasPassword ? "" : "a password (--password-stdin, --password-file or --generate-password)",
  ].filter((part) => part !== "");
  if (missing.length > 0) {
    throw new UsageError(
      `${missing.join(" and ")} ${missing.length > 1 ? "are" : "is"} missing`,
      "See: tongs user create --help",
    );
  }
}

interface Password {
  readonly value: string | undefined;
  readonly generated: string | undefined;
  readonly asked: boolean;
}

async function choosePassword(
  { flags, prompt }: Context,
  given: string | undefined,
  local: boolean,
): Promise<Password> {
  const made = (asked: boolean): Password => {
    const value = generatePassword();
    return { value, generated: value, asked };
  };
  if (given !== undefined) return { value: given, generated: undefined, asked: false };
  if (flags.generatePassword) return made(false);
  if (!local) return { value: undefined, generated: undefined, asked: false };
  const flag = "--password-stdin";
  const choices = [
    { name: "Type one", value: "type" as const },
    { name: "Make one, and show it once", value: "make" as const },
  ];
  if ((await prompt.select({ message: "Password:", flag, choices })) === "make") return made(true);
  const value = await prompt.password({ message: "Type it:", flag, check: ruled(weak) });
  const again = (typed: string) => typed === value || "The two differ; type the same again.";
  await prompt.password({ message: "And again:", flag, check: again });
  return { value, generated: undefined, asked: true };
}

/** The servers' default rule; one that asks for more says so itself. */
function weak(password: string): string | undefined {
  if (password.length < 8) return "a password has at least 8 characters";
  return password.length > longest.password ? `a password has at most ${longest.password} characters` : undefined;
}

function ruled(wrong: (value: string) => string | undefined): (value: string) => true | string {
  return (value) => wrong(value) ?? true;
}

async function confirmSummary(
  { prompt, options, out, server }: Context,
  { option, admin, generated }: NewAccount,
): Promise<void> {
  const password = option.password === undefined ? "none" : generated === undefined ? "as typed" : "made by tongs";
  const change = option.must_change_password === true ? ", to be changed at the first sign-in" : "";
  const lines = [
    `  name      ${option.username}${option.full_name === undefined ? "" : ` (${option.full_name})`}`,
    `  mail      ${option.email}`,
    `  password  ${password}${change}`,
    `  role      ${admin ? "administrator" : option.restricted ? "restricted user" : "user"}`,
    `  on        ${addressText(server.base)}`,
  ];
  out.note(lines.join("\n"));
  if (options.yes) return;
  if (!(await prompt.confirm({ message: "Create this account?", flag: "--yes", default: true }))) throw new Cancelled();
}
