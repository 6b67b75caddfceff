import type { AttemptError } from '#shared/domain/webhook/deliveries/delivery.ts'

/** Why a connection failed or broke, in the classes that an attempt's log shows. */
export class EgressError extends Error {
  override readonly name = 'EgressError'
  readonly kind: AttemptError

  constructor(kind: AttemptError, message: string, options?: ErrorOptions) {
    super(message, options)
    this.kind = kind
  }
}

/** The class of an error that broke an open connection: ours, the network's or TLS's; any other is a violation of HTTP/1.1. */
export function kindOfError(error: unknown): AttemptError {
  if (error instanceof EgressError) return error.kind
  const code = codeOf(error)
  if (networkCodes.has(code)) return 'connection'
  if (code === 'UND_ERR_SOCKET') return isClosed(error) ? 'connection' : 'protocol'
  return /^ERR_(SSL|TLS|OSSL)/.test(code) ? 'tls' : 'protocol'
}

/** The class of an error before the end of the TLS handshake: after the TCP handshake it is TLS unless the network broke. */
export function kindOfConnectError(error: unknown, reached: boolean): AttemptError {
  if (error instanceof EgressError) return error.kind
  return reached && !networkCodes.has(codeOf(error)) ? 'tls' : 'connection'
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}

/** Only undici's message distinguishes a closed connection from an invalid response. */
function isClosed(error: unknown): boolean {
  return error instanceof Error && /closed/.test(error.message)
}

const networkCodes = new Set([
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'EPIPE',
  'ETIMEDOUT',
])
