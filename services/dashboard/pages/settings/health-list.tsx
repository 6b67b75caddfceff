import { client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { useResource } from '../../api/resource.ts'
import { Dot } from '../../parts/display/marks.tsx'
import { Loaded, Skeleton } from '../../parts/problems/problem.tsx'
import { type CheckState, checksOf, failedHealth, type Health } from './health.ts'

/** The checks of the server and their results. They are read again automatically until all are ok. */
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

/** Reads the checks. If the server is not ready, they are in the details of its error. @throws ListdError */
async function readHealth(signal: AbortSignal): Promise<Health> {
  try {
    return await client.send<Health>('GET /health/ready', { options: { signal } })
  } catch (failure) {
    const health = failedHealth(toListdError(failure).details)
    if (!health) throw failure
    return health
  }
}
