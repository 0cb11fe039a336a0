import type { BaseContext, RepositoryContext } from "../../app/context.ts";
import { Failure } from "../../failure/failure.ts";
import { type Label, labelList } from "../../forge/labels.ts";
import { collect } from "../../forge/listings.ts";
import { call } from "../../forge/operation.ts";
import { DeniedError, NotFoundError } from "../../http/errors.ts";

/** The labels to choose from for a pull request: of the repository, and of its organization. */
export async function labelChoices({ http, repo }: RepositoryContext): Promise<Label[]> {
  const own = await collect(call(http, labelList, { level: { of: "repository", repo } }));
  return [
    ...own,
    ...(await collect(call(http, labelList, { level: { of: "organization", org: repo.owner } })).catch(noneIfMissing)),
  ];
}

/** Only organizations have labels and teams, which only members can list. */
export function noneIfMissing(error: unknown): [] {
  if (error instanceof NotFoundError || error instanceof DeniedError) return [];
  throw error;
}

/** Prompts for one of several fields. A list that is empty or cannot be read is a warning, and the field is left out. */
export async function unlessEmpty<T extends object>(
  { out }: Pick<BaseContext, "out">,
  ask: () => Promise<T>,
): Promise<Partial<T>> {
  try {
    return await ask();
  } catch (error) {
    const isEmpty = error instanceof Failure && error.code === "nothing_to_choose";
    if (!(error instanceof DeniedError) && !isEmpty) throw error;
    out.warn(error.message);
    return {};
  }
}
