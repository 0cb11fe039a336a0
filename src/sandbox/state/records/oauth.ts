/** A person who is signed in to the pages, in a browser. */
export interface WebSessionRecord {
  /** The value of the cookie, which is the key. */
  readonly id: string;
  readonly userId: number;
  /** What the page that asks for the permission was opened with. */
  readonly asked?: AskedRecord;
}

/** A request for authorization (RFC 6749, section 4.1.1). */
export interface AskedRecord {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string;
  readonly scope: string;
  readonly challenge: string;
  readonly method: string;
}

/** The permission of a person for an application. */
export interface GrantRecord {
  readonly id: number;
  readonly userId: number;
  readonly clientId: string;
  readonly scope: string;
  /** Counts the refresh tokens: only the last one is valid, if the site invalidates them. */
  readonly counter: number;
}

/** An authorization code, which is the key. */
export interface CodeRecord {
  readonly code: string;
  readonly grantId: number;
  readonly redirectUri: string;
  readonly challenge: string;
  readonly method: string;
}

/** An access token or a refresh token, which is the key. */
export interface OAuthTokenRecord {
  readonly secret: string;
  readonly kind: "access" | "refresh";
  readonly grantId: number;
  readonly counter: number;
  /** Milliseconds since the epoch. */
  readonly expires: number;
}
