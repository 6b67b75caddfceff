import type { Delivery, DeliveryWithPayload } from '#client/src/types/user-resources.ts'

type Outcome = Pick<Delivery, 'status' | 'attempts' | 'response' | 'error' | 'event'>

/** The color of a delivery: succeeded, being retried, or failed. */
export function deliveryTone({
  status,
  attempts,
}: Pick<Delivery, 'status' | 'attempts'>): 'good' | 'warn' | 'bad' | undefined {
  if (status === 'succeeded') return 'good'
  if (status === 'failed') return 'bad'
  return attempts > 0 ? 'warn' : undefined
}

/** The flow run that emitted the event; null: no flow emitted it. */
export function runOf({ event, payload }: Pick<DeliveryWithPayload, 'event' | 'payload'>): string | null {
  const { runId } = Object(payload.data) as { runId?: unknown }
  return event === 'flow.emit' && typeof runId === 'string' ? runId : null
}

/** The state of a delivery in a word. */
export function deliveryWord({ status, attempts }: Pick<Delivery, 'status' | 'attempts'>): string {
  if (status !== 'pending') return status
  return attempts > 0 ? 'trying' : 'waiting'
}

export type DeliveryError = NonNullable<Delivery['error']>

/** Each class of error: its name, and what it means for the operator of the receiver. */
export const errorWords: Readonly<Record<DeliveryError, { name: string; why: string }>> = {
  timeout: {
    name: 'timed out',
    why: 'The receiver did not respond within 10 seconds. It should respond first and process the event afterwards.',
  },
  tls: {
    name: 'bad certificate',
    why: 'The certificate of the receiver has expired, is for another name, or comes from an authority that is not trusted.',
  },
  dns: { name: 'unknown host', why: 'The host name of the URL cannot be resolved.' },
  'blocked-address': {
    name: 'address not allowed',
    why: 'The host name of the URL resolves to an address that is not public. The operator of this server can allow a network.',
  },
  'not-https': {
    name: 'not https',
    why: 'The URL begins with http://, and this server sends to https:// only. Nothing was sent.',
  },
  connection: {
    name: 'no connection',
    why: 'The receiver refused the connection, or closed it before it responded.',
  },
  protocol: { name: 'invalid HTTP', why: 'The response is not valid HTTP/1.1.' },
  interrupted: {
    name: 'interrupted',
    why: 'The sender stopped during the attempt, so the receiver may already have the delivery. It is sent again immediately.',
  },
  secret: {
    name: 'secret locked',
    why: 'The signing secret could not be decrypted, so nothing was sent. The operator of this server has to check its keys.',
  },
}

/** The result of the last attempt, such as "502 Bad Gateway" or "timed out". */
export function answerOf({ response, error, attempts }: Outcome): string {
  if (error) return errorWords[error].name
  if (response) return statusText(response.status)
  return attempts > 0 ? 'being sent' : 'not sent yet'
}

/** A status with its name. */
export function statusText(status: number): string {
  return [status, statusNames[status]].filter(Boolean).join(' ')
}

/** The time of each phase of an attempt, such as "name 3 · connection 12 · TLS 41 · wait 158 ms"; empty if it was not stored. */
export function phasesText({ phases }: Pick<DeliveryWithPayload['attemptLog'][number], 'phases'>): string {
  if (!phases) return ''
  const { dnsMs, connectMs, tlsMs, waitMs } = phases
  const named = { name: dnsMs, connection: connectMs, TLS: tlsMs, wait: waitMs }
  const reported = Object.entries(named).flatMap(([name, ms]) => (ms === null ? [] : [`${name} ${ms}`]))
  return reported.length > 0 ? `${reported.join(' · ')} ms` : ''
}

/** Why a delivery has its state, in a sentence for the operator of the receiver. */
export function whyOf({ status, response, error, attempts }: Outcome): string {
  if (status === 'succeeded') return 'The receiver accepted it.'
  if (error) return errorWords[error].why
  if (response) return whyStatus(response.status)
  return attempts > 0 ? 'It is being sent now.' : 'It is waiting for its turn: a webhook sends one delivery at a time.'
}

function whyStatus(status: number): string {
  if (status < 400)
    return 'The receiver responded with a redirect, which is not followed. Set the URL to the target of the redirect.'
  if (status === 401 || status === 403)
    return 'The receiver rejected the request. It may verify signatures with a different secret.'
  if (status === 404 || status === 410) return 'The receiver found nothing at this URL.'
  if (status === 408 || status === 429) return 'The receiver wants fewer requests. Set a rate limit for this webhook.'
  if (status === 502 || status === 503 || status === 504) {
    return 'The request reached a proxy of the receiver, but not the app behind it.'
  }
  return status < 500 ? 'The receiver does not accept this request.' : 'The receiver failed.'
}

/** What happens next automatically. @param now epoch milliseconds */
export function nextOf(
  { status, nextAttemptAt, event }: Pick<Delivery, 'status' | 'nextAttemptAt' | 'event'>,
  now: number,
): string {
  if (status === 'succeeded') return ''
  if (status === 'failed') {
    return event === 'ping' ? 'A test is sent once.' : 'It is not sent again automatically.'
  }
  if (nextAttemptAt === null) return 'It is sent when the webhook is active.'
  return Date.parse(nextAttemptAt) <= now ? 'It is sent as soon as its turn comes.' : 'Next attempt'
}

const statusNames: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  303: 'See Other',
  307: 'Temporary Redirect',
  308: 'Permanent Redirect',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  409: 'Conflict',
  410: 'Gone',
  413: 'Content Too Large',
  415: 'Unsupported Media Type',
  422: 'Unprocessable Content',
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  501: 'Not Implemented',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}
