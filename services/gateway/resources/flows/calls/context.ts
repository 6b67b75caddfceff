import type { LongFlowRuns } from '#services/gateway/admission/long-flow-runs.ts'
import type { FlowPrincipal } from '#services/gateway/request/principal.ts'
import type { SchemaValidator } from '#services/gateway/validation/schema-validator.ts'
import type { Flow } from '#shared/domain/flow/language/flow.ts'
import type { Hint } from '#shared/domain/realtime/hints.ts'
import type { ItemDeps } from '../../items/context.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ParsedFlows } from './parsed-flows.ts'

/** The dependencies of the handlers of flows. */
export type FlowDeps = ItemDeps & { longFlowRuns: LongFlowRuns }

/** The dependencies of the handlers that start runs, and so validate the input. */
export type CallDeps = FlowDeps & {
  schemas: Pick<SchemaValidator, 'validator'>
  parsedFlows: ParsedFlows
  /** Notifies live streams about runs. */
  hintHub: { note(accountId: string, hints: readonly Hint[]): void }
}

/** The existing lists that a flow names, by their keys (`pathNameKey`). */
export type FlowLists = ReadonlyMap<string, ListConfig>

/** What all attempts of a run share. */
export type RunContext = { flow: Flow; principal: FlowPrincipal; requestId: string }
