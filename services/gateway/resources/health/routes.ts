import { AppError } from '#shared/errors.ts'
import { type Checks, readiness } from '#shared/ops/readiness.ts'
import { ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { livenessSchema, readinessSchema } from './schemas.ts'

/** The checks of the gateway's dependencies, by name. */
type HealthDeps = { checks: Checks }

/** Whether the process is alive, and whether it can serve (contract 2.8). */
export const healthRoutes: readonly Route<HealthDeps>[] = [
  route({
    method: 'GET',
    path: '/health/live',
    operationId: 'getLiveness',
    about: 'Whether the process is alive.',
    notes: 'It checks nothing else: use it to decide whether to restart the process.',
    response: { 200: livenessSchema },
    permission: 'public',
    handle: async () => ok({ status: 'ok' }),
  }),
  route({
    method: 'GET',
    path: '/health/ready',
    operationId: 'getReadiness',
    about: 'Whether the gateway can serve requests, and what is wrong; with `degraded` it can.',
    notes: 'Use it to decide whether to send requests. 503 names the checks that failed in `details.checks`.',
    response: { 200: readinessSchema },
    permission: 'public',
    /** Without NATS the status is degraded but still 200: only features that need NATS fail. */
    async handle(_request, { checks }) {
      const { status, checks: results } = await readiness(checks)
      if (status !== 'failed') return ok({ status, checks: results })
      throw new AppError('SERVICE_UNAVAILABLE', {
        details: { checks: results },
        retryAfterSeconds: 1,
        reason: 'not ready',
      })
    },
  }),
]
