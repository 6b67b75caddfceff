import { dispatcherAnswers, dispatcherBroadcasts } from './messages/dispatcher.ts'
import { gatewayBroadcasts } from './messages/gateway.ts'
import { identityAnswers, identityBroadcasts } from './messages/identity.ts'
import { installationAnswers } from './messages/installation.ts'
import { revocationBroadcasts } from './messages/revocation.ts'
import { secretsAnswers } from './messages/secrets.ts'

/**
 * The subjects of all messages between processes except the stream's, each under the prefix of its installation (`names.ts`).
 * Messages carry ids and hashes, never payloads.
 */

/** Requests, each answered by one process: the schema of the answer. */
export const responseSchemas = { ...identityAnswers, ...dispatcherAnswers } as const

/** Broadcasts, sent to every process that listens and lost while NATS is unreachable: the schema of the message. */
export const broadcasts = {
  ...dispatcherBroadcasts,
  ...gatewayBroadcasts,
  ...identityBroadcasts,
  ...revocationBroadcasts,
} as const

/** Surveys, which every process that listens answers: the schema of an answer. */
export const surveyAnswers = { ...secretsAnswers, ...installationAnswers } as const

export type RequestSubject = keyof typeof responseSchemas
export type BroadcastSubject = keyof typeof broadcasts
export type SurveySubject = keyof typeof surveyAnswers
