import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { readFileFlag, readStdin } from "../../app/input.ts";
import { profileRecord, toRecord } from "../../app/profile-record.ts";
import { inputFile, text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { sameAddress } from "../../profiles/choose.ts";
import { connectionOf } from "../../profiles/connection.ts";
import { type Config, type Profile, profileNamed } from "../../profiles/profile.ts";
import { addressText, refuseInsecure, type Server, serverAddress, unknownServer } from "../../profiles/server.ts";
import { accessToken, type Credential } from "../../profiles/session.ts";
import { checkCaFile, checkProfileName } from "../../profiles/settings.ts";
import { fullPath } from "../../system/files.ts";
import type { System } from "../../system/system.ts";
import { createToken } from "./create-token.ts";
import { offerGitSetup } from "./setup-git.ts";
import { type Connection, identify, storeSignIn, tokenPage } from "./sign-in.ts";
import type { WebSignIn } from "./web-sign-in.ts";

/** `tongs auth login`: verifies the token by GET /user, reads its scopes by GET /token, and stores it in a profile. */
export const login = defineCommand({
  summary: "Sign in to a server",
  details:
    "Verifies the token with the server and stores it in a profile; the first profile becomes the default. On a " +
    "terminal, prompts for missing values, and can create a token from your username and password, which are not " +
    "stored; at the end it offers to set up git, as tongs auth setup-git does. A profile with a " +
    "token_command is verified with the token that the command prints, and none is stored. The profile is named after " +
    "the host unless --profile is given. If the environment variable TONGS_CA is set to a file with CA certificates, its " +
    "path is stored in the profile.",
  on: "profiles",
  effect: "write",
  flags: {
    web: toggle("sign in with a web browser", { short: "w" }),
    clientId: text("with --web: the client ID of an OAuth2 application of the server", { placeholder: "ID" }),
    noBrowser: toggle("with --web: print the URL to open, and prompt for the URL that the browser ends at"),
    tokenStdin: toggle("read the token from stdin", { readsStdin: true, aliases: [{ name: "with-token" }] }),
    tokenFile: inputFile("read the token from a file", { names: "password" }),
    insecureHttp: toggle("allow plain HTTP to this server from now on"),
  },
  exclusive: [
    ["web", "tokenStdin"],
    ["web", "tokenFile"],
    ["tokenStdin", "tokenFile"],
  ],
  output: profileRecord,
  exits: { denied: "the server did not accept the token; nothing was stored" },
  examples: [
    ["Sign in interactively", "tongs auth login"],
    ["Sign in with the browser", "tongs auth login --web --host https://git.example.org"],
    ["Sign in over ssh, with the browser on another machine", "tongs auth login --web --no-browser"],
    ["Sign in from a script", "tongs auth login --host https://git.example.org --token-stdin < token"],
    [
      "Add a second account on the same server",
      "tongs auth login --host https://git.example.org --profile bot --token-file bot.token",
    ],
  ],
  async run(context) {
    const { flags, options, profiles, system, out, connectTo } = context;
    if (!flags.web && (flags.noBrowser || flags.clientId !== undefined)) {
      throw new UsageError("--client-id and --no-browser require --web");
    }
    const config = profiles.read();
    const base = await serverToSignInTo(context, config);
    const sameServer = Object.entries(config.profiles).filter(([, { host }]) => sameAddress(host, base));
    const insecure = flags.insecureHttp || sameServer.some(([, profile]) => profile.insecure_http === true);
    refuseInsecure(base, insecure);

    const named = sameServer.find(([name]) => name === options.profile);
    const like = named ?? sameServer[0];
    const server = signedOutServer(base, like, context);
    const given = await readTokenFlags({ stdin: flags.tokenStdin, file: flags.tokenFile }, system);
    const pasteFlags = flags.web ? "--no-browser" : "--web --no-browser";
    const how = { clientId: flags.clientId, opensBrowser: !flags.noBrowser, pasteFlags };
    const web = () => byBrowser(context, server, how);
    const obtained = flags.web
      ? await web()
      : given === undefined
        ? await obtainToken(context, server, named, web)
        : { credential: given, scopes: undefined };
    const { credential, scopes, isPrinted = false } = obtained;
    const { http } = await connectTo({ ...server, token: async () => accessToken(credential) });
    const identity = await identify(http, base, scopes);

    const account = `${identity.login} on ${addressText(base)}`;
    if (await reportDryRun(context, `sign in as ${account}`)) return;
    const name = await storeSignIn(profiles, {
      name: options.profile,
      base,
      user: identity.login,
      scopes: identity.scopes,
      since: system.now(),
      credential: isPrinted ? undefined : credential,
      connection: connectionSettings(like?.[1], server.ca),
      insecure: insecure && base.protocol === "http:",
    });
    const stored = profiles.read();
    const usage = stored.default === name ? "the default" : `use it with --profile ${name}`;
    await out.done(`Signed in as ${account} (profile ${name}, ${usage})`, { record: toRecord(stored, name) });
    await offerGitSetup(context, base);
    if (system.env["TONGS_HOST"]) out.warn("TONGS_HOST is set and takes precedence over the stored profiles");
  },
});

/**
 * The address of the server to sign in to: from `--host`, the profile, `TONGS_HOST` or a prompt. Throws a usage error
 * when the profile belongs to another server.
 */
async function serverToSignInTo(context: BaseContext, config: Config): Promise<URL> {
  const { options, system, prompt, git } = context;
  const name = options.profile;
  if (name !== undefined) checkProfileName(name);
  const profile = name === undefined ? undefined : profileNamed(config, name);
  const typed = options.host ?? profile?.host ?? (system.env["TONGS_HOST"] || undefined);
  if (typed !== undefined) {
    const base = serverAddress(typed);
    if (profile === undefined || sameAddress(profile.host, base)) return base;
    const hint = `Choose another name with --profile, or change the server: tongs profile set ${name} host URL`;
    throw new UsageError(`Profile '${name}' is for ${profile.host}`, hint);
  }
  const [remote] = prompt.able ? await git.remotes() : [];
  const answer = await prompt.text({
    message: "Server address",
    flag: "--host",
    ...(remote === undefined ? {} : { default: remote.host }),
    check: (value) => validateAddress(value),
  });
  return serverAddress(answer);
}

function validateAddress(value: string): true | string {
  try {
    serverAddress(value);
    return true;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The server without a token; `TONGS_CA` takes precedence over the CA file of a stored profile. */
function signedOutServer(
  base: URL,
  like: readonly [name: string, profile: Profile] | undefined,
  { system, profiles }: BaseContext,
): Server {
  const fromEnvironment = system.env["TONGS_CA"];
  const ca = fromEnvironment ? fullPath(fromEnvironment, system) : like?.[1].ca;
  if (fromEnvironment && ca !== undefined) checkCaFile(ca);
  const connection = like === undefined ? {} : connectionOf(profiles, ...like);
  return { ...unknownServer, ...connection, base, ca, because: "auth login" };
}

/** The settings of a connection to store with a sign-in: those of the profile that it was made like. */
function connectionSettings(profile: Profile | undefined, ca: string | undefined): Connection {
  const { proxy, client_cert, client_key, headers } = profile ?? {};
  return {
    ...(ca === undefined ? {} : { ca }),
    ...(proxy === undefined ? {} : { proxy }),
    ...(client_cert === undefined ? {} : { client_cert }),
    ...(client_key === undefined ? {} : { client_key }),
    ...(headers === undefined ? {} : { headers }),
  };
}

/** What a sign-in obtained. */
interface Obtained {
  readonly credential: Credential;
  readonly scopes: readonly string[] | undefined;
  /** Whether a command of the profile prints it, so that it is not stored. */
  readonly isPrinted?: boolean;
}

/** Signs in with the browser. The session can do everything that the account can. */
async function byBrowser(context: BaseContext, server: Server, how: Omit<WebSignIn, "scopes">): Promise<Obtained> {
  const { signInByBrowser } = await import("./web-sign-in.ts");
  return { credential: await signInByBrowser(context, server, { ...how, scopes: [] }), scopes: ["all"] };
}

/** Runs the token command of the profile if it has one; otherwise prompts for the way to sign in. */
async function obtainToken(
  context: BaseContext,
  server: Server,
  named: readonly [name: string, profile: Profile] | undefined,
  web: () => Promise<Obtained>,
): Promise<Obtained> {
  const { prompt, profiles } = context;
  const printed = named?.[1].token_command === undefined ? undefined : await profiles.token(...named);
  if (printed !== undefined) return { credential: printed, scopes: undefined, isPrinted: true };
  const flag = "--token-stdin";
  const page = tokenPage(server.base);
  const method = await prompt.select({
    message: "How would you like to authenticate?",
    flag,
    choices: [
      { name: "Web browser", value: "web", description: "sign in on the page of the server" },
      { name: "Paste an access token", value: "token", description: `create one at ${page}` },
      { name: "Username and password", value: "password", description: "creates a token; the password is not stored" },
    ],
  });
  if (method === "web") return web();
  if (method === "password") {
    const { token, scopes } = await createToken(context, (await context.connectTo(server)).http, page);
    return { credential: token, scopes };
  }
  const check = (value: string) => isToken(value.trim()) || "Invalid token: it must be one word without spaces";
  return {
    credential: parseToken(await prompt.password({ message: "Paste your access token", flag, check }), "the answer"),
    scopes: undefined,
  };
}

/** Reads the token of `--token-stdin` or `--token-file`; undefined when neither is given. */
async function readTokenFlags(
  flags: { readonly stdin: boolean; readonly file: string | undefined },
  system: System,
): Promise<string | undefined> {
  if (flags.stdin) return parseToken(await readStdin(system), "stdin");
  if (flags.file === undefined) return undefined;
  const content = await readFileFlag("--token-file", flags.file, system);
  return parseToken(content, flags.file === "-" ? "stdin" : flags.file);
}

/** The token without surrounding whitespace. Throws a usage error, which never contains the text, if it is invalid. */
function parseToken(content: string, source: string): string {
  const token = content.trim();
  if (token === "") throw new UsageError(`No token found in ${source}`);
  if (!isToken(token)) {
    throw new UsageError(`Invalid token in ${source}: it contains spaces or characters outside ASCII`);
  }
  return token;
}

/** Whether a text can be sent as a token: printable ASCII characters without spaces. */
function isToken(text: string): boolean {
  return /^[\x21-\x7e]+$/.test(text);
}
