/** A page of the documentation, as its text. */
declare module '*.md' {
  const text: string
  // biome-ignore lint/style/noDefaultExport: esbuild gives a text as the default export
  export default text
}
