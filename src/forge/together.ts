/**
 * Waits for several requests that are under way together, and only then throws the first failure, in their order: so
 * that none of them is left behind when the command ends.
 */
export async function together<T extends readonly unknown[] | []>(
  work: T,
): Promise<{ -readonly [K in keyof T]: Awaited<T[K]> }> {
  const settled = await Promise.allSettled(work);
  for (const result of settled) if (result.status === "rejected") throw result.reason;
  return Promise.all(work);
}
