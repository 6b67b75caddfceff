import type { FlowRun } from '#client/src/types/flow-resources.ts'

export const runTone = { succeeded: 'good', failed: 'bad', refused: 'warn' } as const satisfies Record<
  FlowRun['status'],
  string
>

/** The result of a run, in a few words. */
export function resultWords({ answer, error }: Pick<FlowRun, 'answer' | 'error'>): string {
  if (answer) return `answered ${answer.status}`
  if (!error) return ''
  return `${error.status} ${error.code}${error.node === undefined ? '' : ` at the node “${error.node}”`}`
}

/** Where a run failed, for example "at the node “card”, in nodes.0.when, line 1, column 8"; empty: it failed before any node. */
export function failurePlace({ node, path, line, column, index }: NonNullable<FlowRun['error']>): string {
  const parts = [
    node !== undefined && node !== '' && `at the node “${node}”`,
    index !== undefined && `for element ${index} of each`,
    path !== undefined && `in ${path}`,
    line !== undefined && `line ${line}`,
    column !== undefined && `column ${column}`,
  ].filter((part) => part !== false)
  return parts.join(', ')
}
