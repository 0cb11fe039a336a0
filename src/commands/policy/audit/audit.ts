import pMap from "p-map";
import { defineCommand } from "../../../app/define.ts";
import { optional } from "../../../command/args.ts";
import { choicesOf } from "../../../command/flags.ts";
import { ageFlag } from "../../../command/time-flags.ts";
import { UsageError } from "../../../failure/failure.ts";
import { column } from "../../../output/table.ts";
import { addressText, commandElsewhere } from "../../../profiles/server.ts";
import { list } from "../../../shape/shape.ts";
import { reportedRepos, reportFlags, reposText } from "../repositories.ts";
import { orgsOf } from "../wanted.ts";
import { readAccepted, withAccepted } from "./accepted.ts";
import { accountFindings } from "./accounts.ts";
import { type Check, checks, type Finding, finding } from "./finding.ts";
import { repositoryFindings } from "./repositories.ts";
import { orgHooks, serverFindings } from "./server.ts";

const day = 86_400e3;

const columns = [
  column<Finding>("CHECK", "check"),
  column<Finding>("SUBJECT", "subject", { flexible: true, rank: "key" }),
  column<Finding>("STATE", "state"),
  column<Finding>("DETAIL", "detail", { flexible: true, below: "text" }),
  column<Finding>("FIX", "fix", { flexible: true, below: "command" }),
];

/** What is not of repositories. */
const ofServerOnly: readonly Check[] = ["administrator", "two-factor", "ssh-key", "token", "open-runner"];

/** `tongs policy audit`: what an administrator should look at. */
export const audit = defineCommand({
  summary: "Find risky accounts, keys, repositories, webhooks and runners",
  details:
    "Checks the whole server, or only the repositories that --org or --repo select. Finds administrators, users without " +
    "two-factor authentication, old or unused SSH keys and tokens, public repositories, default branches without a protection, " +
    "webhooks that are delivered by http, deploy keys that can push, and runners for every repository. Each finding has the " +
    "command that mends it, if one does. What the server does not say is 'not known'. FILE has the findings that you accept: under 'accept', " +
    "for each check a list of subjects or patterns (see tongs help files).",
  on: "server",
  effect: "read",
  lists: ["finding", "findings"],
  args: { file: optional("accepted findings, YAML", { dash: "stdin", names: "input file" }) },
  flags: {
    ...reportFlags,
    check: choicesOf(checks, "only these checks", { placeholder: "CHECK", filters: true }),
    maxAge: ageFlag("the age from which keys and tokens are old (default: 365d)"),
    maxUnused: ageFlag("the time without use after which they are unused (default: 90d)"),
  },
  output: list(finding),
  exits: { failure: "something was found that is not accepted" },
  examples: [
    ["Audit the server", "tongs policy audit"],
    ["Fail a CI job for new findings", "tongs policy audit accepted.yml --org tidewater --json"],
    ["Look for unprotected branches only", "tongs policy audit --check unprotected-branch"],
  ],
  async run({ args, flags, http, options, out, server, system }) {
    const accepted = args.file === undefined ? new Map<string, string[]>() : await readAccepted(args.file, system);
    const wanted = new Set(flags.check.length === 0 ? checks : flags.check);
    const { maxAge = 365 * day, maxUnused = 90 * day } = flags;
    const orgs = orgsOf(flags);
    const address = addressText(server.base);
    const isWhole = orgs.length + flags.repo.length === 0;
    const unlooked = isWhole ? [] : flags.check.filter((check) => ofServerOnly.includes(check));
    if (unlooked.length > 0)
      throw new UsageError(`Only the whole server can be checked for ${unlooked.join(", ")}`, "Omit --org and --repo.");
    const ages = { maxAge, maxUnused, now: system.now() };
    const ofRepositories = async () => {
      const isNone = [...wanted].every((check) => ofServerOnly.includes(check));
      const repos = isNone ? [] : await reportedRepos(flags, http);
      return { repos: repos.length, findings: await repositoryFindings(http, repos, wanted) };
    };
    const [accounts, ofServer, repositories] = await Promise.all([
      isWhole ? accountFindings(http, address, wanted, ages) : { findings: [], users: 0 },
      isWhole
        ? serverFindings(http, address, wanted)
        : wanted.has("plain-webhook")
          ? pMap(orgs, (org) => orgHooks(http, org), { concurrency: 8 }).then((found) => found.flat())
          : [],
      ofRepositories(),
    ]);
    const all = [...accounts.findings, ...ofServer, ...repositories.findings];
    const findings = checks
      .flatMap((check) => all.filter((one) => one.check === check).map((one) => withAccepted(one, accepted)))
      .map((one): Finding => ({ ...one, fix: one.fix === null ? null : commandElsewhere(server, one.fix) }));
    await out.list(findings, columns, { unlimited: options.limit === undefined });
    const count = (state: Finding["state"]) => findings.filter((one) => one.state === state).length;
    const users = isWhole ? `${accounts.users === 1 ? "1 user" : `${accounts.users} users`} and ` : "";
    const found = count("found");
    out.note(
      `${found === 1 ? "1 finding" : `${found} findings`}, ${count("accepted")} accepted, ${count("not known")} not known ` +
        `in ${users}${reposText(repositories.repos)}.`,
    );
    return found > 0 ? "failure" : undefined;
  },
});
