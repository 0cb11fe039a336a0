import { HttpError, NotFoundError } from "../../../http/errors.ts";

/** Explains an unknown user, which is 422 or 404 here (docs/server-differences.md, "Repositories"). */
export function explainUnknownUser(user: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof HttpError) || !/^user does not exist/.test(error.serverMessage)) throw error;
    throw new NotFoundError(error.exchange, `User ${user} not found on ${error.exchange.server}`);
  };
}
