import type { SecureContext } from 'node:tls'
import { type WebhookUrlError, webhookUrlError } from '#shared/domain/webhook/url.ts'
import { unavailable } from '#shared/errors.ts'
import type { AddressGuard } from './address-guard.ts'
import { openConnection } from './connection.ts'
import { EgressError } from './egress-error.ts'

/** Why a webhook's url is rejected (contract 1.5, WEBHOOK_URL_REFUSED). */
export type ProbeRefusal = WebhookUrlError | 'unresolvable' | 'unreachable' | 'tls'

type ProbeOptions = {
  guard: AddressGuard
  secureContext: SecureContext
  timeoutMs?: number
  /** How many probes may run at once. Clients cause them, so beyond this limit the answer is SERVICE_UNAVAILABLE. */
  maxOpen?: number
}

/**
 * Makes the function that checks a url before a webhook gets it (contract 2.7): its form, that it resolves to allowed
 * addresses only, and that it answers a TLS handshake with a valid certificate, all within `timeoutMs`. No request is sent.
 */
export function createProbe({ guard, secureContext, timeoutMs = 5_000, maxOpen = 64 }: ProbeOptions) {
  let open = 0
  return async (text: string): Promise<ProbeRefusal | null> => {
    const error = webhookUrlError(text, guard.allowed)
    if (error !== null) return error
    if (open >= maxOpen) throw unavailable()
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    open += 1
    try {
      return await shakeHands(new URL(text), { guard, secureContext, signal: deadline.signal })
    } finally {
      open -= 1
      clearTimeout(timer)
    }
  }
}

async function shakeHands(
  { hostname: host, port }: URL,
  { guard, ...options }: { guard: AddressGuard; secureContext: SecureContext; signal: AbortSignal },
): Promise<ProbeRefusal | null> {
  const addresses = await guard.addresses(host, options.signal).catch(toRefusal('unresolvable'))
  if (typeof addresses === 'string') return addresses
  const target = { addresses, host, port: Number(port || 443), ...options }
  const socket = await openConnection(target).catch(toRefusal('unreachable'))
  if (typeof socket === 'string') return socket
  socket.destroy()
  return null
}

/** Maps the error of a step to the reason that the client gets: `otherwise` unless it is a blocked address or TLS. */
function toRefusal(otherwise: ProbeRefusal): (error: unknown) => ProbeRefusal {
  return (error) => {
    if (!(error instanceof EgressError)) throw error
    if (error.kind === 'blocked-address') return 'private-address'
    return error.kind === 'tls' ? 'tls' : otherwise
  }
}
