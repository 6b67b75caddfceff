import type Joi from 'joi'
import { createInbox } from 'nats'
import { unavailable } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import type { Connection } from '../connection.ts'
import { type SurveySubject, surveyAnswers } from '../subjects.ts'

/** How long to wait for answers, and whether the received ones are enough. */
export type SurveyEnd<A> = { withinMs: number; isComplete(answers: readonly A[]): boolean }

/**
 * Asks every process that answers the subject.
 * @returns the answers that came in time, before the connection ended
 * @throws SERVICE_UNAVAILABLE while NATS is unreachable
 */
export async function survey<A>(
  connection: Connection,
  options: SurveyEnd<A> & { subject: SurveySubject; body: unknown },
): Promise<A[]> {
  const { subject, body, withinMs, isComplete } = options
  const nats = connection.current()
  if (!nats) throw unavailable('NATS is not connected')
  const answers: A[] = []
  const complete = Promise.withResolvers<void>()
  const inbox = createInbox()
  const subscription = nats.subscribe(inbox, {
    callback(error, message) {
      // Without listeners the server answers with an empty message.
      if (error || message.data.length === 0) return
      const { error: invalid, value } = surveyAnswers[subject].validate(parse(message.string()))
      if (!invalid) answers.push(value as A)
      if (isComplete(answers)) complete.resolve()
    },
  })
  nats.publish(connection.names.subject(subject), JSON.stringify(body), { reply: inbox })
  await withTimeLimit(Promise.race([complete.promise, nats.closed()]), withinMs, () => {})
  if (!nats.isClosed()) subscription.unsubscribe()
  return answers
}

/** Answers every survey of the subject, as do all other processes that answer it; `answer` may take its time. */
export function answerSurvey<B>(
  connection: Connection,
  options: { subject: SurveySubject; schema: Joi.ObjectSchema<B>; log: Logger; answer(body: B): unknown },
): void {
  const { subject, schema, log, answer } = options
  connection.attach((nats) => {
    nats.subscribe(connection.names.subject(subject), {
      async callback(error, message) {
        if (error) return
        try {
          const { error: invalid, value } = schema.validate(parse(message.string()), { convert: false })
          if (invalid) throw new Error(`an invalid survey: ${invalid.details.map(({ type }) => type)}`)
          message.respond(JSON.stringify(await answer(value)))
        } catch (failure) {
          log('bus.broadcast_failed', { err: failure, subject })
        }
      },
    })
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
