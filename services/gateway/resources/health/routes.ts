import { AppError } from '#shared/errors.ts'
import { type Checks, readiness } from '#shared/ops/readiness.ts'
import type { Response } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { livenessSchema, readinessSchema } from './schemas.ts'

/** The checks of what the gateway needs to serve, by name. */
type HealthDeps = { checks: Checks }

/** Whether the process is alive, and whether it can serve (contract 2.8). */
export const healthRoutes: readonly Route<HealthDeps>[] = [
  route({
    method: 'GET',
    path: '/health/live',
    operationId: 'getLiveness',
    about: 'Whether the process is alive.',
    notes: 'It looks at nothing else: use it to decide whether to restart the process.',
    response: { 200: livenessSchema },
    permission: 'public',
    handle: handleLive,
  }),
  route({
    method: 'GET',
    path: '/health/ready',
    operationId: 'getReadiness',
    about: 'Whether the gateway can serve, and what is wrong; `degraded` is ready.',
    notes: 'Use it to decide whether to send requests. 503 names the checks that failed in `details.checks`.',
    response: { 200: readinessSchema },
    permission: 'public',
    handle: handleReady,
  }),
]

async function handleLive(): Promise<Response> {
  return { status: 200, body: { status: 'ok' } }
}

/** Without NATS the status is degraded and still 200: only what needs NATS fails meanwhile. */
async function handleReady(_request: unknown, { checks }: HealthDeps): Promise<Response> {
  const { status, checks: results } = await readiness(checks)
  if (status === 'failed') {
    throw new AppError('SERVICE_UNAVAILABLE', {
      details: { checks: results },
      retryAfterSeconds: 1,
      reason: 'not ready',
    })
  }
  return { status: 200, body: { status, checks: results } }
}
