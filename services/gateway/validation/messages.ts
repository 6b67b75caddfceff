import type { FlowSurroundings, FlowTexts } from '#shared/domain/flow/definition.ts'

/** A schema in a request: its source text, and its path in the body. */
export type NewSchema = { text: string; path: string }

/** A task for the validation thread. */
export type Task = ValidateTask | CheckTask | FlowTask
/** Validates data by a valid schema. Both are source texts. */
export type ValidateTask = { kind: 'validate'; schema: string; data: string }
/** Checks schemas. */
type CheckTask = { kind: 'check'; schemas: readonly NewSchema[] }
/** Checks a flow document and runs its tests. `stepsOf`: the name of a test whose steps are reported; null: none. */
export type FlowTask = { kind: 'flow'; stepsOf: string | null } & FlowTexts & FlowSurroundings

/** A task as it is sent: the text of a schema is sent once, then only its number. */
export type Message =
  | { kind: 'validate'; schema: number; text: string | null; data: string; forget: number[] }
  | CheckTask
  | FlowTask
