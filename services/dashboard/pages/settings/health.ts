import { isObject } from '#shared/json/is-object.ts'

export type CheckState = 'ok' | 'degraded' | 'failed'

/** The result of each check by name; `status` is the worst of them. A result may be an object with its state and the reason. */
export type Health = { status: CheckState; checks: Readonly<Record<string, unknown>> }

/** The checks in the details of a 503 response; null: it has none. */
export function failedHealth(details: Readonly<Record<string, unknown>> | undefined): Health | null {
  return details !== undefined && isObject(details.checks) ? { status: 'failed', checks: details.checks } : null
}

const words: Readonly<Record<string, string>> = {
  database: 'Database',
  nats: 'Messages between processes (NATS)',
  clock: 'Clock',
}

export type Check = { name: string; state: CheckState; text: string }

/** The checks with their names and results in words. Failed checks are first. */
export function checksOf({ checks }: Health): Check[] {
  const all = Object.entries(checks).map(([name, result]) => ({ name: words[name] ?? name, ...resultOf(result) }))
  return all.toSorted((a, b) => order.indexOf(a.state) - order.indexOf(b.state))
}

const order: readonly CheckState[] = ['failed', 'degraded', 'ok']

function resultOf(result: unknown): Omit<Check, 'name'> {
  if (result === 'ok') return { state: 'ok', text: 'works' }
  const [state, reason] = isObject(result) ? (Object.entries(result)[0] ?? []) : []
  return state === 'failed'
    ? { state, text: `has failed: ${reason}` }
    : { state: 'degraded', text: reason === undefined ? 'works in part' : `works in part: ${reason}` }
}
