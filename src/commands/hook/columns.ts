import type { Hook } from "../../forge/hooks.ts";
import { styled, when } from "../../output/cells.ts";
import { column } from "../../output/table.ts";

/** A hook in one line. Its events come in random order and are sorted here. */
export const hookColumns = [
  column<Hook>("ID", (hook) => hook.id),
  column<Hook>("TYPE", (hook) => hook.type),
  column<Hook>("URL", (hook) => hook.config?.["url"] ?? hook.url, true),
  column<Hook>("EVENTS", (hook) => [...(hook.events ?? [])].sort().join(", "), true),
  column<Hook>("STATE", (hook) => (hook.active ? styled("good", "active") : styled("dim", "inactive"))),
  column<Hook>("UPDATED", (hook) => when(hook.updated_at)),
];
