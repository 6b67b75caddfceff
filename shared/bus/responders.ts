import type Joi from 'joi'
import type { Msg } from 'nats'
import { AppError } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { Connection } from './connection.ts'
import { decodeRequest, encodeAnswer, encodeError } from './envelope.ts'
import type { RequestSubject } from './subjects.ts'

export type HandlerContext = {
  requestId: string
  /** Epoch milliseconds, on the clock of whoever asked, after which the answer helps nobody. */
  deadline: number
}

export type Responder<B> = { schema: Joi.ObjectSchema<B>; handle(body: B, context: HandlerContext): Promise<unknown> }

export type Responders = {
  respond<B>(subject: RequestSubject, responder: Responder<B>): void
  /** Takes no more requests and waits for those at work. */
  stop(): Promise<void>
}

const maxInFlight = 256

/**
 * Answers requests; processes that answer the same subject share them. A request whose deadline has passed is dropped
 * before it starts, and past 256 at work in this process the next is refused with SERVICE_UNAVAILABLE.
 */
export function createResponders(connection: Connection, log: Logger): Responders {
  const inFlight = new Set<Promise<void>>()
  const subscriptions = new Set<{ drain(): Promise<void> }>()

  async function answer<B>(
    subject: RequestSubject,
    { schema: shape, handle }: Responder<B>,
    message: Msg,
  ): Promise<void> {
    const request = decodeRequest(message.string())
    if (request && request.deadline <= Date.now()) {
      return log('bus.request_expired', { subject, requestId: request.requestId })
    }
    try {
      const { error, value } = shape.validate(request?.body, { convert: false })
      if (!request || error) throw new Error(`a request of another shape: ${error?.details.map(({ type }) => type)}`)
      message.respond(encodeAnswer(await handle(value, request)))
    } catch (error) {
      if (!(error instanceof AppError))
        log('bus.request_failed', { err: error, subject, requestId: request?.requestId })
      message.respond(encodeError(error))
    }
  }

  function take<B>(subject: RequestSubject, responder: Responder<B>, message: Msg): void {
    if (inFlight.size >= maxInFlight) {
      message.respond(encodeError(new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })))
      return
    }
    const work = answer(subject, responder, message).finally(() => inFlight.delete(work))
    inFlight.add(work)
  }

  return {
    respond(subject, responder) {
      connection.attach((nats) => {
        const callback = (error: Error | null, message: Msg) => {
          if (!error) take(subject, responder, message)
        }
        const subscription = nats.subscribe(subject, { queue: subject, callback })
        subscriptions.add(subscription)
        void subscription.closed.then(() => subscriptions.delete(subscription))
      })
    },
    async stop() {
      await Promise.allSettled([...subscriptions].map((subscription) => subscription.drain()))
      await Promise.allSettled(inFlight)
    },
  }
}
