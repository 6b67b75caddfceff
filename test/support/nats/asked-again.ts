import type { NatsConnection } from 'nats'
import { taken } from '#shared/bus/requests/envelope.ts'
import type { RequestSubject } from '#shared/bus/subjects.ts'
import { testNames } from './bus.ts'

/** Sends a request like a gateway, with a key that the test chooses: the same key repeats a request. @returns the response */
export async function askWithKey<T>(
  client: NatsConnection,
  { subject, key, body }: { subject: RequestSubject; key: string; body: unknown },
): Promise<T> {
  const text = JSON.stringify({ requestId: 'r', key, deadline: Date.now() + 3_600_000, body })
  const replies = await client.requestMany(testNames.subject(subject), text, { maxWait: 3_600_000 })
  for await (const reply of replies) if (reply.string() !== taken) return JSON.parse(reply.string()).body
  throw new Error('The connection ended without an answer.')
}
