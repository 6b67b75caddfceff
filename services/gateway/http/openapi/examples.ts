import recorded from './examples.json' with { type: 'json' }

/** An operation as a test called it: its parameters by name, its body, and its answers by status. */
type OperationExample = { parameters?: Example; request?: unknown; answers: Example }
type Example = Readonly<Record<string, unknown>>

type Examples = { operations: Readonly<Record<string, OperationExample>>; errors: Example }

/** Calls of a running service and their answers, recorded and verified by `test/e2e/examples.sqlite.test.ts`. */
export const examples: Examples = recorded
