import type { Client } from './client.ts'
import { createPages, type PageOptions, type Pages } from './pages.ts'
import { type Answer, type CallOptions, route } from './transport.ts'
import type { FlowRun, FlowRunWithSteps } from './types/flow-resources.ts'

export type FlowRunsOptions = PageOptions<{
  flowId?: string
  status?: FlowRun['status']
  trigger?: FlowRun['trigger']['type']
}> & {
  /** The earliest and the latest start. */
  startAt?: Date | string | undefined
  endAt?: Date | string | undefined
}

/** The recorded runs of flows. */
export type FlowRuns = {
  /** The newest come first. */
  all(options?: FlowRunsOptions): Pages<FlowRun>
  get(run: string, options?: CallOptions): Answer<FlowRunWithSteps>
  /** Runs a flow by hand, activated or not. Returns the run, even if it failed. A dry run records nothing. */
  run(
    flow: string,
    fields: HandRun & { input?: unknown; dryRun?: boolean },
    options?: CallOptions,
  ): Answer<FlowRunWithSteps>
  /** Runs the flow again, with the input and the seed of a run. */
  repeat(run: string, fields?: HandRun, options?: CallOptions): Answer<FlowRunWithSteps>
}

/** `identityId`: the identity that the flow sees as its caller; absent: none. */
export type HandRun = { identityId?: string }

export function createFlowRuns({ send }: Pick<Client, 'send'>): FlowRuns {
  return {
    all: (options) => createPages(send, 'GET /flow-runs', options),
    get: (run, options) => send(`GET ${route`/flow-runs/${run}`}`, { options }),
    run: (flow, body, options) => send(`POST ${route`/flow-definitions/${flow}`}/run`, { body, options }),
    repeat: (run, body = {}, options) => send(`POST ${route`/flow-runs/${run}`}/repeat`, { body, options }),
  }
}
