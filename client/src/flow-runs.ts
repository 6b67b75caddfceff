import type { Client } from './client.ts'
import type { FlowRun, FlowRunWithSteps } from './flow-resources.ts'
import { createPages, type PageOptions, type Pages } from './pages.ts'
import { type Answer, type CallOptions, route } from './transport.ts'

export type FlowRunsOptions = PageOptions<{
  flowId?: string
  status?: FlowRun['status']
  trigger?: FlowRun['trigger']['type']
}> & {
  /** The earliest and the latest start. */
  startAt?: Date | string | undefined
  endAt?: Date | string | undefined
}

/** The runs of flows on record. */
export type FlowRuns = {
  /** The newest come first. */
  all(options?: FlowRunsOptions): Pages<FlowRun>
  get(run: string, options?: CallOptions): Answer<FlowRunWithSteps>
}

export function createFlowRuns({ send }: Pick<Client, 'send'>): FlowRuns {
  return {
    all: (options) => createPages(send, 'GET /flow-runs', options),
    get: (run, options) => send(`GET ${route`/flow-runs/${run}`}`, { options }),
  }
}
