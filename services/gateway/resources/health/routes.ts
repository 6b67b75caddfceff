import { AppError } from '#shared/errors.ts'
import { type Checks, readiness } from '#shared/ops/readiness.ts'
import type { Response, Route } from '../../request/route.ts'

/** The checks of what the gateway needs to serve, by name. */
type HealthDeps = { checks: Checks }

/** Whether the process is alive, and whether it can serve (contract 2.8). */
export const healthRoutes: readonly Route<HealthDeps>[] = [
  { method: 'GET', path: '/health/live', permission: 'public', handle: handleLive },
  { method: 'GET', path: '/health/ready', permission: 'public', handle: handleReady },
]

async function handleLive(): Promise<Response> {
  return { status: 200, body: { status: 'ok' } }
}

/** Without NATS the status is degraded and still 200: only what needs NATS fails meanwhile. */
async function handleReady(_request: unknown, { checks }: HealthDeps): Promise<Response> {
  const { status, checks: results } = await readiness(checks)
  if (status === 'failed') {
    throw new AppError('SERVICE_UNAVAILABLE', { details: { checks: results }, retryAfterSeconds: 1 })
  }
  return { status: 200, body: { status, checks: results } }
}
