import { resolve } from "node:path";
import type { BaseContext } from "../../app/context.ts";
import { defineCommand } from "../../app/define.ts";
import { reportDryRun } from "../../app/dry-run.ts";
import { text, toggle } from "../../command/flags.ts";
import { UsageError } from "../../failure/failure.ts";
import { sameAddress } from "../../profiles/choose.ts";
import { type Config, type Profile, profileNamed } from "../../profiles/profile.ts";
import { addressText, refuseInsecure, type Server, serverAddress } from "../../profiles/server.ts";
import { checkCaFile, checkProfileName } from "../../profiles/settings.ts";
import { profileRecord, recordOf } from "../profile/record.ts";
import { checkedToken, givenToken, isToken } from "./given-token.ts";
import { identify, tokenPage } from "./identify.ts";
import { keepSignIn } from "./keep.ts";
import { makeToken } from "./make-token.ts";

/** `tongs auth login`: GET /user with the token, and stores both; GET /token for its scopes. */
export const login = defineCommand({
  summary: "Sign in to a server",
  details:
    "Checks the token by asking the server who it belongs to, and stores it in a profile; the first one becomes the " +
    "default. On a terminal it asks for what is missing, and can make a token from a name and password, which are not " +
    "kept. The profile is called after the host unless --profile names it. TONGS_CA names the file of a certificate " +
    "authority of the server's own, and is stored.",
  on: "profiles",
  effect: "write",
  flags: {
    tokenStdin: toggle("read the token from stdin"),
    tokenFile: text("read the token from a file", { placeholder: "FILE" }),
    withToken: toggle("the same as --token-stdin", { hidden: true }),
    insecureHttp: toggle("allow plain http to this server from now on"),
  },
  exclusive: [
    ["tokenStdin", "tokenFile"],
    ["withToken", "tokenFile"],
  ],
  output: profileRecord,
  exits: { denied: "the server did not accept the token; nothing was stored" },
  examples: [
    ["Ask for everything", "tongs auth login"],
    ["In a script", "tongs auth login --host https://git.example.org --token-stdin < token"],
    ["A second account there", "tongs auth login --host https://git.example.org --profile bot --token-file bot.token"],
  ],
  async run(context) {
    const { flags, options, profiles, system, out, connectTo } = context;
    const config = profiles.read();
    const base = await address(context, config);
    const here = Object.values(config.profiles).filter((profile) => sameAddress(profile.host, base));
    const insecure = flags.insecureHttp || here.some((profile) => profile.insecure_http === true);
    refuseInsecure(base, insecure);

    const named = options.profile === undefined ? undefined : profileNamed(config, options.profile);
    const way = wayTo(base, named ?? here[0], context);
    const given = await givenToken({ stdin: flags.tokenStdin || flags.withToken, file: flags.tokenFile }, system);
    const { token, scopes } =
      given === undefined ? await askedToken(context, way) : { token: given, scopes: undefined };
    const { forge } = await connectTo({ ...way, token });
    const who = await identify(forge, base, scopes);

    const where = `${who.login} on ${addressText(base)}`;
    if (await reportDryRun(context, `sign in as ${where}`)) return;
    const name = await keepSignIn(profiles, {
      ...{ name: options.profile, base, user: who.login, token, scopes: who.scopes, since: system.now() },
      ...{ ca: way.ca, proxy: way.proxy, insecure: insecure && base.protocol === "http:" },
    });
    const after = profiles.read();
    const chosen = after.default === name ? "the default" : `use it with --profile ${name}`;
    await out.done(`Signed in as ${where} (profile ${name}, ${chosen})`, { record: recordOf(after, name) });
    if (system.env["TONGS_HOST"]) out.warn("TONGS_HOST is set and goes before the stored profiles");
  },
});

/** The server to sign in to: `--host`, the profile's, `TONGS_HOST`, or what a person says. */
async function address(context: BaseContext, config: Config): Promise<URL> {
  const { options, system, prompt, git } = context;
  const name = options.profile;
  if (name !== undefined) checkProfileName(name);
  const known = name === undefined ? undefined : profileNamed(config, name);
  const typed = options.host ?? known?.host ?? (system.env["TONGS_HOST"] || undefined);
  if (typed !== undefined) {
    const base = serverAddress(typed);
    if (known === undefined || sameAddress(known.host, base)) return base;
    const hint = "Give the new one a name of its own with --profile, or move this one: tongs profile set NAME host URL";
    throw new UsageError(`The profile '${name}' is for ${known.host}`, hint);
  }
  const [remote] = prompt.able ? await git.remotes() : [];
  const answer = await prompt.text({
    message: "Address of the server",
    flag: "--host",
    ...(remote === undefined ? {} : { default: remote.host }),
    check: (value) => isAddress(value),
  });
  return serverAddress(answer);
}

function isAddress(value: string): true | string {
  try {
    serverAddress(value);
    return true;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The way to a server that is not signed in to yet; proxy and certificate authority as a profile for it has them. */
function wayTo(base: URL, known: Profile | undefined, { system }: BaseContext): Server {
  const own = system.env["TONGS_CA"];
  const ca = own ? resolve(system.cwd, own) : known?.ca;
  if (own && ca !== undefined) checkCaFile(ca);
  return {
    ...{ base, ca, proxy: known?.proxy, because: "auth login" },
    ...{ profile: undefined, user: undefined, token: undefined, repo: undefined },
  };
}

/** Asks for a token, or makes one. */
async function askedToken(
  context: BaseContext,
  way: Server,
): Promise<{ readonly token: string; readonly scopes: readonly string[] | undefined }> {
  const { prompt } = context;
  const flag = "--token-stdin";
  const page = tokenPage(way.base);
  const how = await prompt.select({
    message: "How do you want to sign in?",
    flag,
    choices: [
      { name: "With a token", value: "token", description: `made at ${page}` },
      { name: "With name and password", value: "password", description: "makes a token; the password is not kept" },
    ],
  });
  if (how === "password") return makeToken(context, (await context.connectTo(way)).forge, page);
  const check = (value: string) => isToken(value.trim()) || "A token is one word; paste it as the server showed it.";
  return {
    token: checkedToken(await prompt.password({ message: "Token", flag, check }), "the answer"),
    scopes: undefined,
  };
}
