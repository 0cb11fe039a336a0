/** What readings are forwarded as. */
export const forwardFormats = ["remote-write", "influx", "otlp"] as const;
export type ForwardFormat = (typeof forwardFormats)[number];
