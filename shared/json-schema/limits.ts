/** Limits of a schema (contract 2.1). */
export const maxSchemaBytes = 256 * 1024
export const maxSchemaDepth = 64
