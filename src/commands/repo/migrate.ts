import type { BaseContext, ServerContext } from "../../app/context.ts";
import { bodyOf } from "../../app/fields.ts";
import { type InputSystem, readSecretFile } from "../../app/input.ts";
import { currentUser } from "../../app/shared.ts";
import { writeCommand } from "../../app/write-command.ts";
import { one } from "../../command/args.ts";
import { choice, type FlagValues, inputFile, kebab, text, yesNo } from "../../command/flags.ts";
import { Failure, UsageError, withHint } from "../../failure/failure.ts";
import { call } from "../../forge/operation.ts";
import { repoMigrate } from "../../forge/repo-settings.ts";
import { type Repository, repoGet, repository } from "../../forge/repos.ts";
import { HttpError, NotFoundError } from "../../http/errors.ts";
import { maskText } from "../../http/mask.ts";
import { mayHaveActed } from "../../http/no-answer-error.ts";
import { commandOn } from "../../profiles/server.ts";
import { fullName, type RepoName } from "../../repo/repo-name.ts";
import { refusePassword } from "./arguments.ts";
import { explainNameTaken } from "./rename.ts";

const services = ["git", "github", "gitea", "gitlab", "gogs", "onedev", "gitbucket", "codebase", "codecommit"] as const;

/** What only some services have, and mirrors never. */
const items = {
  issues: yesNo("migrate issues"),
  pullRequests: yesNo("migrate pull requests"),
  labels: yesNo("migrate labels"),
  milestones: yesNo("migrate milestones"),
  releases: yesNo("migrate releases"),
};

/** The fields of `POST /repos/migrate` that are sent as they are. */
const fields = {
  service: choice(services, "type of the server at the address (default: git); use gitea for Forgejo"),
  description: text("description of the new repository", { short: "d" }),
  private: yesNo("make the new repository private"),
  mirror: yesNo("keep the new repository a mirror of the address"),
  mirrorInterval: text("time between updates of the mirror: 8h0m0s", { placeholder: "DURATION" }),
  wiki: yesNo("migrate the wiki"),
  lfs: yesNo("migrate LFS files"),
  lfsEndpoint: text("address of the LFS files", { placeholder: "URL" }),
  authUsername: text("username at the address", { placeholder: "USER" }),
  awsAccessKeyId: text("with --service codecommit, the access key ID", { placeholder: "ID" }),
  ...items,
};

const flags = {
  repoName: text("name of the new repository (default: from the address)", { placeholder: "NAME" }),
  repoOwner: text("owner of the new repository: an organization (default: you)", { placeholder: "OWNER" }),
  ...fields,
  authPasswordFile: inputFile("read the password for the address from a file", { names: "password" }),
  authTokenFile: inputFile("read the token for the address from a file", { names: "password" }),
  awsSecretAccessKeyFile: text("with --service codecommit, read the secret access key from a file", {
    names: "password",
    placeholder: "FILE",
  }),
};

const askMilliseconds = 3000;
const noteMilliseconds = 30_000;
const longestMilliseconds = 3_600_000;

/**
 * `tongs repo migrate`: POST /repos/migrate, which answers when the copy is done; asks for the repository after a
 * timeout.
 */
export const migrate = writeCommand({
  summary: "Migrate a repository from another server",
  details:
    "The server copies the repository. If that takes longer than --timeout, tongs checks the new repository until it is " +
    "complete, for up to an hour.",
  on: "server",
  fieldsOf: repoMigrate,
  args: { address: one("clone URL of the repository to copy") },
  flags,
  output: repository,
  exits: { refused: "the name is taken", pending: "the server has not finished within an hour" },
  examples: [
    ["Copy a repository", "tongs repo migrate https://example.org/mara/harbor.git"],
    ["Create a pull mirror", "tongs repo migrate https://example.org/mara/harbor.git --mirror --mirror-interval 1h"],
    [
      "Also copy issues and releases",
      "tongs repo migrate https://example.org/mara/harbor --service gitea --issues --releases --auth-token-file token",
    ],
  ],
  async work(context) {
    const { args, http, out } = context;
    const values: FlagValues<typeof flags> = context.flags;
    refusePassword(args.address, "--auth-password-file or --auth-token-file");
    checkItems(values);
    const name = values.repoName ?? nameIn(args.address);
    const secrets = await secretsOf(values, context.system);
    const owner = values.repoOwner ?? (await currentUser(context));
    const repo = { owner, name };
    const body = {
      ...bodyOf(fields, values),
      ...secrets,
      clone_addr: args.address,
      repo_name: name,
      ...(values.repoOwner === undefined ? {} : { repo_owner: values.repoOwner }),
    };
    const address = maskText(args.address);
    out.note(`Migrating ${address} to ${fullName(repo)}…`);
    const record = await call(http, repoMigrate, {}, body).catch(async (error: unknown) => {
      // A proxy waits for less time than a copy can take.
      const isSlow = mayHaveActed(error) && (error.code === "timeout" || error.status === 504);
      if (isSlow) return waitFor(repo, context);
      throw await withLeftover(explainNameTaken(error, owner, name), repo, context);
    });
    return { done: `Migrated ${address} to ${record.full_name}`, prints: record.html_url, record };
  },
});

/** Adds to a refusal that the servers keep the empty repository of a failed copy (docs/server-differences.md, "Mirrors"). */
async function withLeftover(error: unknown, repo: RepoName, { http, server }: ServerContext): Promise<unknown> {
  if (!(error instanceof HttpError)) return error;
  const found = await call(http, repoGet, { repo }).catch(() => undefined);
  if (found?.empty !== true) return error;
  const name = fullName(repo);
  return withHint(
    error,
    `The empty repository ${name} exists. To try again, delete it first: ${commandOn(server, `tongs repo delete ${name}`)}`,
  );
}

/** Asks for the repository until it has content. While it is copied it is empty, and servers can keep it if that fails. */
async function waitFor(
  repo: RepoName,
  { http, out, server, system }: BaseContext & ServerContext,
): Promise<Repository> {
  out.note("The server is still copying; waiting until it is done.");
  const began = system.now().getTime();
  let noted = began;
  for (;;) {
    const found = await call(http, repoGet, { repo }).catch((error: unknown) => {
      if (!(error instanceof NotFoundError)) throw error;
      throw new Failure("migration_failed", `The migration to ${fullName(repo)} failed`, {
        hint: "The server deleted the incomplete repository. See its log for the cause.",
        cause: error,
      });
    });
    if (found.empty === false) return found;
    const now = system.now().getTime();
    if (now - began >= longestMilliseconds) {
      throw new Failure("migration_pending", `${fullName(repo)} is still empty after an hour`, {
        hint: `To look again, run: ${commandOn(server, `tongs repo view ${fullName(repo)}`)}\nIt can also be empty because the copy failed: see the server's log.`,
      });
    }
    if (now - noted >= noteMilliseconds) {
      noted = now;
      out.note(`Still copying after ${Math.round((now - began) / 1000)} s.`);
    }
    await system.sleep(askMilliseconds);
  }
}

/** Throws a usage error for items that the server would silently leave out (docs/server-differences.md, "Mirrors"). */
function checkItems(values: FlagValues<typeof flags>): void {
  if (values.mirrorInterval !== undefined && values.mirror !== true)
    throw new UsageError("--mirror-interval requires --mirror");
  const wanted = Object.entries(bodyOf(items, values)).find(([, value]) => value === true)?.[0];
  if (wanted === undefined) return;
  const flag = `--${wanted.replaceAll("_", "-")}`;
  if (values.mirror === true)
    throw new UsageError(`${flag} cannot be used with --mirror: mirrors have git content only`);
  if (values.service === undefined || values.service === "git") {
    const others = services.filter((service) => service !== "git");
    throw new UsageError(`${flag} requires --service`, `Services: ${others.join(", ")}`);
  }
}

/** The last part of an address, without `.git`. Throws a usage error if there is none. */
function nameIn(address: string): string {
  const name =
    address
      .replace(/[?#].*$/s, "")
      .replace(/\/+$/, "")
      .replace(/\.git$/, "")
      .split(/[/:]/)
      .pop() ?? "";
  if (name === "") throw new UsageError(`--repo-name is required: '${maskText(address)}' does not end with a name`);
  return name;
}

async function secretsOf(values: FlagValues<typeof flags>, system: InputSystem) {
  const files = {
    auth_password: ["authPasswordFile", values.authPasswordFile],
    auth_token: ["authTokenFile", values.authTokenFile],
    aws_secret_access_key: ["awsSecretAccessKeyFile", values.awsSecretAccessKeyFile],
  } as const;
  const read: Record<string, string> = {};
  for (const [field, [flag, file]] of Object.entries(files)) {
    const secret = await readSecretFile(`--${kebab(flag)}`, file, system);
    if (secret !== undefined) read[field] = secret;
  }
  return read;
}
