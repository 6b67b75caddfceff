import type { FlowDefinition } from '#client/src/types/flow-resources.ts'

/** The entry of a flow, such as "POST /flows/cards/vote". */
export function entryWords({ entry }: Pick<FlowDefinition, 'entry'>): string {
  return `${entry.method} /flows/${entry.path}`
}

/** The address of a flow that can be called without credentials; null: the flow is not public. */
export function publicPath({ id, public: isPublic }: Pick<FlowDefinition, 'id' | 'public'>): string | null {
  return isPublic ? `/flows/public/${id}` : null
}
