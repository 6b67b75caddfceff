import type { NatsConnection } from 'nats'
import { taken } from '#shared/bus/requests/envelope.ts'
import type { RequestSubject } from '#shared/bus/subjects.ts'
import { testNames } from './bus.ts'

/** Asks as a gateway does, with a key that the test chooses: with the same one a request is asked again. @returns the answer */
export async function askWithKey<T>(
  client: NatsConnection,
  { subject, key, body }: { subject: RequestSubject; key: string; body: unknown },
): Promise<T> {
  const text = JSON.stringify({ requestId: 'r', key, deadline: Date.now() + 3_600_000, body })
  const replies = await client.requestMany(testNames.subject(subject), text, { maxWait: 3_600_000 })
  for await (const reply of replies) if (reply.string() !== taken) return JSON.parse(reply.string()).body
  throw new Error('The connection ended without an answer.')
}
