/** The schema of the database cannot be used or upgraded; the message says why and what to do. */
export class SchemaError extends Error {
  override readonly name = 'SchemaError'
}
