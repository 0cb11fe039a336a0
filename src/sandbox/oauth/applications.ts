/** An application that people can sign in to programs with. */
export interface Application {
  readonly clientId: string;
  readonly name: string;
}

/** The applications that Gitea creates at its first start: public ones, for programs on the machine of the user. */
const applications: readonly Application[] = [
  { clientId: "a4792ccc-144e-407e-86c9-5e7d8d9c3269", name: "git-credential-oauth" },
  { clientId: "e90ee53c-94e2-48ac-9358-a874fb9e0662", name: "Git Credential Manager" },
  { clientId: "d57cb8c4-630c-4168-8324-ec79935e18d4", name: "tea" },
];

/** The application with an ID. */
export function applicationOf(clientId: string): Application | undefined {
  return applications.find((one) => one.clientId === clientId);
}

/** Whether the applications may redirect there: the loopback address with any port, and no path. */
export function isOwnRedirect(uri: string): boolean {
  return /^https?:\/\/127\.0\.0\.1(:\d+)?\/?$/i.test(uri);
}
