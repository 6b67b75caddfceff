import { dispatcherAnswers, dispatcherBroadcasts } from './messages/dispatcher.ts'
import { gatewayBroadcasts } from './messages/gateway.ts'
import { identityAnswers } from './messages/identity.ts'
import { revocationBroadcasts } from './messages/revocation.ts'

/** The subjects of all messages between processes but the stream's. Messages carry ids and hashes, never payloads. */

/** Requests, each answered by one process: the schema of the answer. */
export const responseSchemas = { ...identityAnswers, ...dispatcherAnswers } as const

/** Broadcasts, sent to every process that listens and lost while NATS is away: the schema of the message. */
export const broadcasts = { ...dispatcherBroadcasts, ...gatewayBroadcasts, ...revocationBroadcasts } as const

export type RequestSubject = keyof typeof responseSchemas
export type BroadcastSubject = keyof typeof broadcasts
