import type { Artifact } from "../../forge/artifacts.ts";
import { styled, when } from "../../output/cells.ts";
import type { Sheet } from "../../output/sheet.ts";
import { column } from "../../output/table.ts";
import { sizeText } from "../../text/format.ts";

/** An artifact in one line. */
export const artifactColumns = [
  column<Artifact>("ID", (one) => one.id),
  column<Artifact>("NAME", (one) => (one.expired ? styled("dim", one.name) : one.name), true),
  column<Artifact>("SIZE", (one) => sizeText(one.size_in_bytes)),
  column<Artifact>("RUN", (one) => one.workflow_run?.id),
  column<Artifact>("STATE", (one) => (one.expired ? styled("dim", "expired") : styled("good", "there"))),
  column<Artifact>("CREATED", (one) => when(one.created_at)),
];

/** An artifact for reading. */
export function artifactSheet(one: Artifact): Sheet {
  return {
    title: one.name,
    fields: [
      ["id", one.id],
      ["size", `${sizeText(one.size_in_bytes)} (${one.size_in_bytes} bytes, packed)`],
      ["state", one.expired ? styled("dim", "expired") : styled("good", "there")],
      ["run", one.workflow_run?.id],
      ["commit", one.workflow_run?.head_sha],
      ["created", when(one.created_at)],
      ["expires", when(one.expires_at)],
    ],
  };
}
