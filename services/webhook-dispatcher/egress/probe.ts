import type { SecureContext } from 'node:tls'
import { type AdmissionOptions, createAdmissionQueue } from '#shared/admission/admission-queue.ts'
import type { Probe } from '#shared/bus/messages/dispatcher.ts'
import { type WebhookUrlError, webhookUrlError } from '#shared/domain/webhook/url.ts'
import type { AddressGuard } from './address-guard.ts'
import { openConnection } from './connection.ts'
import { EgressError } from './egress-error.ts'

/** Why a webhook's url is rejected (contract 1.5, WEBHOOK_URL_REFUSED). */
export type ProbeFailure = WebhookUrlError | 'unresolvable' | 'unreachable' | 'tls'

type ProbeOptions = {
  guard: AddressGuard
  secureContext: SecureContext
  timeoutMs?: number
  admission?: AdmissionOptions
}

/**
 * Clients cause probes, and a URL that hangs takes the whole time-out. So an account may run few at once, and its other probes do not
 * wait longer than a gateway waits. The total is below the number of requests that the bus admits.
 */
export const probeAdmission: AdmissionOptions = {
  atOnce: 64,
  perAccount: 8,
  waiting: { all: { entries: 128, size: 128 }, account: { entries: 16, size: 16 } },
  waitMs: 2_000,
}

/**
 * Creates the function that checks a URL before a webhook gets it (contract 2.7): its form, that it resolves to allowed
 * addresses only, and that it answers a TLS handshake with a valid certificate, all within `timeoutMs`. For an http url it
 * checks that a connection is accepted. No request is sent.
 * Accounts take turns. It throws SERVICE_UNAVAILABLE when a turn does not come soon.
 */
export function createProbe(options: ProbeOptions): (of: Probe) => Promise<ProbeFailure | null> {
  const { guard, secureContext, timeoutMs = 5_000 } = options
  const admit = createAdmissionQueue(options.admission ?? probeAdmission)

  async function connect(url: URL): Promise<ProbeFailure | null> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), timeoutMs)
    try {
      return await shakeHands(url, { guard, secureContext, signal: deadline.signal })
    } finally {
      clearTimeout(timer)
    }
  }

  return async ({ accountId, url }) => {
    const error = webhookUrlError(url, guard.rules)
    return error ?? admit({ accountId, size: 1 }, () => connect(new URL(url)))
  }
}

async function shakeHands(
  url: URL,
  { guard, ...options }: { guard: AddressGuard; secureContext: SecureContext; signal: AbortSignal },
): Promise<ProbeFailure | null> {
  const addresses = await guard.addresses(url, options.signal).catch(toFailure('unresolvable'))
  if (typeof addresses === 'string') return addresses
  const socket = await openConnection({ addresses, url, ...options }).catch(toFailure('unreachable'))
  if (typeof socket === 'string') return socket
  socket.destroy()
  return null
}

/** Maps the error of a step to the reason that the client gets: `otherwise` unless it is a blocked address, plain http or TLS. */
function toFailure(otherwise: ProbeFailure): (error: unknown) => ProbeFailure {
  return (error) => {
    if (!(error instanceof EgressError)) throw error
    if (error.kind === 'blocked-address') return 'private-address'
    return error.kind === 'tls' || error.kind === 'not-https' ? error.kind : otherwise
  }
}
