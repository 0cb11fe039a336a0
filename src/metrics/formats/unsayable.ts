/** A reading that is sound but that a format has no way to say. */
export class Unsayable extends Error {
  override readonly name = "Unsayable";
}
