import { wrongEmail, wrongLength, wrongName } from "../rules.ts";

/** A column of an import: a field of the API's input objects (api-facts 1.8). */
interface ImportField {
  readonly kind: "text" | "boolean" | "integer" | "time" | "visibility";
  /** Which operation takes it; what only the edit takes costs a second request. */
  readonly by: "create" | "edit" | "both";
  /** What the servers would refuse. */
  readonly wrong?: (value: string) => string | undefined;
  /** Its name in the user record, where it can be read back. */
  readonly shown?: string;
}

const limited = (field: Parameters<typeof wrongLength>[0]) => (value: string) => wrongLength(field, value);

/** Every column that an import knows. */
export const importFields: Readonly<Record<string, ImportField>> = {
  username: { kind: "text", by: "create", wrong: wrongName },
  email: { kind: "text", by: "both", wrong: wrongEmail, shown: "email" },
  full_name: { kind: "text", by: "both", wrong: limited("full_name"), shown: "full_name" },
  password: { kind: "text", by: "both", wrong: limited("password") },
  must_change_password: { kind: "boolean", by: "both" },
  source_id: { kind: "integer", by: "both", shown: "source_id" },
  login_name: { kind: "text", by: "both", shown: "login_name" },
  restricted: { kind: "boolean", by: "both", shown: "restricted" },
  visibility: { kind: "visibility", by: "both", shown: "visibility" },
  send_notify: { kind: "boolean", by: "create" },
  created_at: { kind: "time", by: "create" },
  admin: { kind: "boolean", by: "edit", shown: "is_admin" },
  active: { kind: "boolean", by: "edit", shown: "active" },
  prohibit_login: { kind: "boolean", by: "edit", shown: "prohibit_login" },
  website: { kind: "text", by: "edit", wrong: limited("website"), shown: "website" },
  location: { kind: "text", by: "edit", wrong: limited("location"), shown: "location" },
  description: { kind: "text", by: "edit", wrong: limited("description"), shown: "description" },
  max_repo_creation: { kind: "integer", by: "edit" },
  allow_git_hook: { kind: "boolean", by: "edit" },
  allow_import_local: { kind: "boolean", by: "edit" },
  allow_create_organization: { kind: "boolean", by: "edit" },
};

/** A value of a row, as the API takes it. */
export type FieldValue = string | number | boolean;

const truths: Readonly<Record<string, boolean>> = {
  true: true,
  false: false,
  yes: true,
  no: false,
  "1": true,
  "0": false,
};
const instant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** Reads one value; an empty one is absent. What is wrong is a sentence without its line. */
export function readField(name: string, raw: unknown): { readonly value?: FieldValue; readonly wrong?: string } {
  const field = Object.hasOwn(importFields, name) ? importFields[name] : undefined;
  if (field === undefined) return { wrong: `there is no field '${name}'` };
  if (raw === undefined || raw === null || raw === "") return {};
  if (field.kind === "boolean") {
    const value = typeof raw === "boolean" ? raw : truths[String(raw).toLowerCase()];
    return value === undefined ? { wrong: `${name} is true or false, not '${String(raw)}'` } : { value };
  }
  if (field.kind === "integer") {
    const value = typeof raw === "number" ? raw : Number(raw);
    const whole = Number.isSafeInteger(value) && /^-?\d+$/.test(String(raw));
    return whole ? { value } : { wrong: `${name} is a whole number, not '${String(raw)}'` };
  }
  if (typeof raw !== "string") return { wrong: `${name} is a text` };
  if (field.kind === "visibility" && !/^(public|limited|private)$/.test(raw)) {
    return { wrong: `visibility is public, limited or private, not '${raw}'` };
  }
  if (field.kind === "time" && (!instant.test(raw) || Number.isNaN(Date.parse(raw)))) {
    return { wrong: `${name} is a time such as 2026-03-01T08:00:00Z, not '${raw}'` };
  }
  if (field.kind === "text" && /[\r\n\u0000]/.test(raw)) return { wrong: `${name} holds a line break` };
  const wrong = field.wrong?.(raw);
  return wrong === undefined ? { value: raw } : { wrong };
}
