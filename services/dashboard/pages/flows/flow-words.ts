import type { FlowDefinition } from '#client/src/types/flow-resources.ts'

/** What starts a flow, such as "POST /flows/cards/vote". */
export function entryWords({ entry }: Pick<FlowDefinition, 'entry'>): string {
  return `${entry.method} /flows/${entry.path}`
}

/** The address at which anybody may call a flow; null: nobody may without credentials. */
export function publicPath({ id, public: isPublic }: Pick<FlowDefinition, 'id' | 'public'>): string | null {
  return isPublic ? `/flows/public/${id}` : null
}
