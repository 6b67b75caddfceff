/** A schema that stands in a request: its source text, and the path of it in the body. */
export type NewSchema = { text: string; path: string }

/** What the validation thread is asked. */
export type Task = ValidateTask | CheckTask
/** The errors of data, by a schema that was found good. Both are source texts. */
export type ValidateTask = { kind: 'validate'; schema: string; data: string }
/** The errors of schemas. */
export type CheckTask = { kind: 'check'; schemas: readonly NewSchema[] }

/** The same as it is sent: the text of a schema goes to the thread once, and then it has a number there. */
export type Message =
  | { kind: 'validate'; schema: number; text: string | null; data: string; forget: number[] }
  | CheckTask
