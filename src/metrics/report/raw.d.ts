/** The text of a file, read when the program is built. */
declare module "*?raw" {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: what bundlers give
  export default text;
}
