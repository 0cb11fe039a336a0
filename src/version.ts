declare const TONGS_VERSION: string | undefined;

/** The version of tongs, written in by the build. */
export const version: string = typeof TONGS_VERSION === "string" ? TONGS_VERSION : "0.0.0-source";

declare const TONGS_BUILD: string | undefined;

/** Another word for every build, written in by it. */
export const build: string = typeof TONGS_BUILD === "string" ? TONGS_BUILD : "source";
