import { Webhook } from 'standardwebhooks'
import Stripe from 'stripe'
import type { ReceivedRequest } from '../receivers/receiver.ts'

/** Throws unless the service's signature matches the raw body and was fresh on arrival, validated by npm stripe; returns the parsed payload. */
export function verifyServiceSignature(request: ReceivedRequest, secret: string, prefix = 'x-service'): unknown {
  const header = request.headers[`${prefix}-signature`] ?? ''
  return Stripe.webhooks.constructEvent(request.body, header, secret, undefined, undefined, request.receivedAt)
}

/** Throws unless the Standard Webhooks signature matches the raw body, validated by that scheme's own library. */
export function verifyStandardSignature(request: ReceivedRequest, secret: string): unknown {
  return new Webhook(secret).verify(request.body, request.headers)
}
