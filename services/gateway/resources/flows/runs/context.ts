import type { CallDeps } from '../calls/context.ts'

/** The dependencies of the handlers of runs on record. */
export type FlowRunDeps = CallDeps
