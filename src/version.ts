declare const TONGS_VERSION: string | undefined;

/** The version of tongs, written in by the build. */
export const version: string = typeof TONGS_VERSION === "string" ? TONGS_VERSION : "0.0.0-source";
