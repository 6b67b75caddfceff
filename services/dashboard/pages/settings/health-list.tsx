import { client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { useResource } from '../../api/resource.ts'
import { Dot } from '../../parts/display/marks.tsx'
import { Loaded, Skeleton } from '../../parts/problems/problem.tsx'
import { type CheckState, checksOf, failedHealth, type Health } from './health.ts'

/** What the server needs, by name, and whether it works: read again by itself while something does not. */
export function HealthList() {
  const health = useResource('health', readHealth, { everyMs: ({ status }) => (status === 'ok' ? null : 5_000) })
  return (
    <Loaded resource={health} skeleton={<Skeleton lines={3} />}>
      {(found) => (
        <ul class="form" role="list" aria-live="polite">
          {checksOf(found).map(({ name, state, text }) => (
            <li key={name} class="row">
              <Dot tone={tones[state]} />
              <b>{name}</b>
              <span class="muted">{text}</span>
            </li>
          ))}
        </ul>
      )}
    </Loaded>
  )
}

const tones = { ok: 'good', degraded: 'warn', failed: 'bad' } as const satisfies Record<CheckState, string>

/** A server that cannot serve says what has failed in the details of its answer. @throws ListdError */
async function readHealth(signal: AbortSignal): Promise<Health> {
  try {
    return await client.send<Health>('GET /health/ready', { options: { signal } })
  } catch (failure) {
    const health = failedHealth(toListdError(failure).details)
    if (!health) throw failure
    return health
  }
}
