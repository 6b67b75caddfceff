import { Client } from 'undici'
import { signatureHeader, standardSignatures } from '#shared/crypto/signature.ts'

/** One event to send to one webhook. */
export type BareEvent = { id: string; body: string }

export type BareSenderOptions = {
  /** Origin of the receiver, and the authority that its certificate is from. */
  origin: string
  ca: string
  /** The signing secret of each webhook. */
  secrets: readonly string[]
}

/** Sends an event to the webhook at this position; resolves when its answer is read. */
export type BareSend = (webhook: number, event: BareEvent) => Promise<void>

/**
 * The minimal cost of a delivery: the same bytes with the same two signatures, sent by undici over one kept-alive TLS
 * connection per webhook, without a database, checks or logs.
 */
export function createBareSender({ origin, ca, secrets }: BareSenderOptions): BareSend {
  const webhooks = secrets.map((secret) => ({
    secret,
    client: new Client(origin, { connect: { ca }, allowH2: false }),
  }))
  return async (position, event) => {
    const webhook = webhooks[position]
    if (!webhook) throw new Error(`there is no webhook ${position}`)
    const answer = await webhook.client.request(signedRequest(webhook.secret, event))
    await answer.body.dump()
  }
}

/** The request that listd would send: the same headers, signatures and bytes. */
export function signedRequest(secret: string, { id, body: text }: BareEvent) {
  const body = Buffer.from(text)
  const timestampSeconds = Math.floor(Date.now() / 1_000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'bare/1.0.0',
    'x-service-signature': signatureHeader({ secret, timestampSeconds, body }),
    'x-service-event': 'item.created',
    'x-service-delivery': id,
    'webhook-id': id,
    'webhook-timestamp': `${timestampSeconds}`,
    'webhook-signature': standardSignatures({ secrets: [secret], id, timestampSeconds, body }),
  }
  return { method: 'POST', path: '/hook', headers, body } as const
}
