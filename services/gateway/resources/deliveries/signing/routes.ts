import { ok } from '#services/gateway/request/response.ts'
import { type Route, route } from '#services/gateway/request/route.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { webhookKey } from '../../webhooks/webhook-key.ts'
import type { SigningDeps } from './context.ts'
import { countCall } from './limits.ts'
import { signBody, signedSchema, verificationSchema, verifyBody } from './schemas.ts'
import { signDeliveries } from './sign-deliveries.ts'
import { verifyReceived } from './verify-received.ts'

/** Signatures for receivers that are being built or repaired, in user mode only. */
export const signingRoutes: readonly Route<SigningDeps>[] = [
  route({
    method: 'POST',
    path: '/webhooks/{webhook}/deliveries/sign',
    operationId: 'signDeliveries',
    about: 'Signs deliveries as if they were sent now.',
    notes:
      'With the headers and the payload of a delivery, a receiver of your own gets the real request. At most 50 deliveries a call, and 30 calls a minute.',
    response: { 200: signedSchema },
    errors: ['RATE_LIMIT_EXCEEDED'],
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: signBody },
    async handle(request, deps) {
      const { userId } = request.principal
      const key = webhookKey(request)
      countCall(deps.signingLimits, 'sign', userId)
      const deliveries = await signDeliveries(deps, key, request.body.deliveries)
      const entry = { requestId: request.id, userId, webhookId: key.webhookId, deliveries: deliveries.length }
      deps.log('webhook.deliveries_signed', entry)
      return ok({ deliveries })
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/{webhook}/verify',
    operationId: 'verifyReceived',
    about: 'Says whether a request that a receiver got is from this webhook, and if not why.',
    notes: 'The request is not stored. At most 30 calls a minute.',
    response: { 200: verificationSchema },
    errors: ['RATE_LIMIT_EXCEEDED'],
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: verifyBody },
    async handle(request, deps) {
      const { userId } = request.principal
      const key = webhookKey(request)
      countCall(deps.signingLimits, 'verify', userId)
      const verification = await verifyReceived(deps, key, request.body)
      const { valid } = verification
      deps.log('webhook.request_verified', { requestId: request.id, userId, webhookId: key.webhookId, valid })
      return ok(verification)
    },
  }),
]
