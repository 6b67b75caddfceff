import { gzipSync } from 'node:zlib'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import { type Authority, type Certificate, makeAuthority, selfSigned } from './certificate.ts'
import type { Welcome } from './receiver.ts'
import type { Reply } from './reply.ts'

/** A receiver with a fault in HTTP or TLS, and the outcome of an attempt at it. */
export type HostileReceiver = {
  welcome?: Welcome
  reply?: Reply
  /** The certificate that it presents instead of a valid one. */
  certificate?: (authority: Authority) => Certificate
  outcome: Pick<AttemptOutcome, 'status' | 'error'>
}

const day = 86_400_000
const ok = 'HTTP/1.1 200 OK\r\n'
const continues = 'HTTP/1.1 100 Continue\r\n\r\n'
const hints = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'

const timeout = { status: null, error: 'timeout' } as const
const connection = { status: null, error: 'connection' } as const
const protocol = { status: null, error: 'protocol' } as const
const tls = { status: null, error: 'tls' } as const
const answered = (status: number) => ({ status, error: null })

/** Attempts at these end at the deadline, and not earlier, however far they get on a busy machine. */
export const hangingReceivers: Readonly<Record<string, HostileReceiver>> = {
  'silence before TLS': { welcome: 'silent', outcome: timeout },
  'half a TLS handshake': { welcome: 'half-handshake', outcome: timeout },
  'no answer': { reply: { hang: 'before-head' }, outcome: timeout },
  'half a head': { reply: { hang: 'in-head' }, outcome: timeout },
  'a head that drips': { reply: { drip: { part: 'head', everyMs: 20 } }, outcome: timeout },
  'a few 100 Continue and no answer': { reply: { raw: continues.repeat(3) }, outcome: timeout },
}

/** Attempts at these end as soon as the receiver's behavior is clear. */
export const hostileReceivers: Readonly<Record<string, HostileReceiver>> = {
  'a body without end': endless(`${ok}\r\n`, 'x', answered(200)),
  'a chunk extension without end': endless(`${ok}transfer-encoding: chunked\r\n\r\n1;`, 'x', answered(200)),
  'chunks without end': endless(`${ok}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n', answered(200)),
  'a status line without end': endless('HTTP/1.1 200 ', 'x', protocol),
  'a head without end': endless(ok, 'x-a: b\r\n', protocol),
  '100 Continue without end': endless('', continues, protocol),
  '103 without end': endless('', hints, protocol),
  '10,000 headers': { reply: { raw: `${ok}${'a: b\r\n'.repeat(10_000)}\r\n` }, outcome: protocol },
  'a gzip bomb': {
    reply: { headers: { 'content-encoding': 'gzip' }, body: gzipSync(Buffer.alloc(10_000_000)) },
    outcome: answered(200),
  },
  '101 Switching Protocols': {
    reply: { raw: 'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n' },
    outcome: protocol,
  },
  'bytes that are not HTTP': { reply: { raw: 'SSH-2.0-OpenSSH_9.2\r\n\r\n' }, outcome: protocol },
  'an end before the head': { reply: { close: 'before-head' }, outcome: connection },
  'an end in the head': { reply: { close: 'in-head' }, outcome: connection },
  'an end in the body': { reply: { close: 'in-body', body: 'half of it' }, outcome: answered(200) },
  'a reset in the handshake': { welcome: 'reset', outcome: connection },
  'a reset before the head': { reply: { reset: 'before-head' }, outcome: connection },
  'a reset in the head': { reply: { reset: 'in-head' }, outcome: connection },
  'a reset in the body': { reply: { reset: 'in-body', body: 'half of it' }, outcome: answered(200) },
  'plain text in place of TLS': { welcome: 'plain', outcome: tls },
  'a certificate for another name': { certificate: ({ issue }) => issue({ names: ['a.example'] }), outcome: tls },
  'a certificate that has expired': {
    certificate: ({ issue }) => issue({ notBefore: new Date(0), notAfter: new Date(Date.now() - day) }),
    outcome: tls,
  },
  'a certificate that signs itself': { certificate: () => selfSigned(), outcome: tls },
  'a certificate of an unknown authority': { certificate: () => makeAuthority().issue(), outcome: tls },
  ...Object.fromEntries([301, 302, 303, 307, 308].map((status) => [`a redirect with ${status}`, redirect(status)])),
}

function endless(start: string, text: string, outcome: HostileReceiver['outcome']): HostileReceiver {
  return { reply: { endless: { start, text } }, outcome }
}

/** To a network that no delivery may reach; the connection is closed, so that none is kept. */
function redirect(status: number): HostileReceiver {
  const headers = { location: 'http://169.254.169.254/latest/meta-data', connection: 'close' }
  return { reply: { status, headers }, outcome: answered(status) }
}
