/** What is wrong with encoded bytes, and where: `at` counts from the start of the buffer that was read. */
export class WireFault extends Error {
  override readonly name = "WireFault";
  constructor(
    readonly at: number,
    message: string,
  ) {
    super(message);
  }
}
