import { defineCommand } from "../../app/define.ts";
import { requirePresentName } from "../../app/present-name.ts";
import { text } from "../../command/flags.ts";
import { call } from "../../forge/operation.ts";
import { userGet } from "../../forge/users.ts";
import { column } from "../../output/table.ts";
import { list } from "../../shape/shape.ts";
import { notKnown, type Way, way, waysInto } from "./access-ways.ts";
import { reportedRepos, reportFlags, reposText } from "./repositories.ts";

const columns = [
  column<Way>("REPOSITORY", "repository", { flexible: true, rank: "key" }),
  column<Way>("USER", "user", { cell: userOf }),
  column<Way>("PERMISSION", "permission"),
  column<Way>("BY", "by"),
  column<Way>("TEAM", "team", { flexible: true }),
  column<Way>("UNITS", "units", { cell: unitsOf, flexible: true }),
];

function userOf({ user, by, team }: Way): string {
  if (user !== null) return user;
  if (by === "team" && team !== null) return "(members not known)";
  if (by === "team" || by === "member" || by === "collaborator") return "(not known)";
  return by === "public" ? "(everybody)" : "(all users)";
}

/** Whether the server does not say whose way it is. */
function isHidden({ user, by }: Way): boolean {
  return user === null && (by === "team" || by === "member" || by === "collaborator");
}

function unitsOf({ units }: Way): string {
  return Object.entries(units ?? {})
    .map(([unit, access]) => `${unit.replace("repo.", "")}: ${access}`)
    .join(", ");
}

/** `tongs policy access`: who may do what in which repository, and by which way. */
export const access = defineCommand({
  summary: "Show who has access to repositories, and why",
  details:
    "Prints one row for each way by which somebody has access: as the owner, by a team, as a member of a private " +
    "organization, as a collaborator, or because the repository is public. A team has its highest permission; UNITS has what it can do where that is not the same in all units. What you are not allowed to read is 'not known'. What a collaborator may do " +
    "includes what teams give. Administrators of the server have access to everything, and are not listed.",
  on: "server",
  effect: "read",
  lists: ["way", "ways"],
  flags: {
    ...reportFlags,
    user: text("only the access of this user, with what everybody can read", {
      placeholder: "USER",
      source: "user",
      filters: true,
    }),
  },
  output: list(way),
  examples: [
    ["Who has access to a repository", "tongs policy access --repo mara/harbor"],
    ["What somebody can do in an organization, as CSV", "tongs policy access --org tidewater --user jonas --csv"],
  ],
  async run({ flags, http, options, out }) {
    const { user } = flags;
    const asked = user === undefined ? undefined : await call(http, userGet, { username: user });
    if (asked !== undefined) requirePresentName(user ?? "", asked.login, (present) => `Pass --user ${present}.`);
    const repos = await reportedRepos(flags, http);
    const ways = await waysInto(repos, http);
    const isOf = (one: Way) => one.user?.toLowerCase() === user?.toLowerCase() || isHidden(one);
    const isOpen = ({ by }: Way) => by === "public" || by === "signed in";
    // Servers differ in what they show a restricted user (docs/server-differences.md, "Users: accounts").
    const isUnsure = (one: Way) => asked?.restricted === true && isOpen(one);
    const fitting = ways
      .filter((one) => user === undefined || isOpen(one) || isOf(one))
      .map((one) => (isUnsure(one) ? { ...one, permission: notKnown } : one));
    await out.list(fitting, columns, { unlimited: options.limit === undefined });
    const isUnknown = (one: Way) => one.permission === notKnown || (user !== undefined && isHidden(one));
    const hidden = fitting.filter(isUnknown).length;
    const unknown = hidden === 0 ? "" : `, ${hidden} not known`;
    out.note(`${fitting.length} ${fitting.length === 1 ? "way" : "ways"}${unknown} into ${reposText(repos.length)}.`);
  },
});
