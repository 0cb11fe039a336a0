declare module "jq-web" {
  /** jq, once its WebAssembly is loaded. Throws an error with `stderr` when jq fails. */
  const loading: Promise<{ raw(json: string, program: string, flags: readonly string[]): string }>;
  export default loading;
}
