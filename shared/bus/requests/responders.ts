import type Joi from 'joi'
import { ErrorCode, type Msg, NatsError } from 'nats'
import { newId } from '#shared/crypto/ids.ts'
import { AppError, unavailable } from '#shared/errors.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { Connection } from '../connection.ts'
import type { RequestSubject } from '../subjects.ts'
import { decodeRequest, encodeAnswer, encodeError, type RequestEnvelope, taken } from './envelope.ts'

export type HandlerContext = {
  requestId: string
  /** An id that the request has each time it is sent. */
  key: string
  /** Epoch milliseconds on the requester's clock, after which it no longer waits for the answer. */
  deadline: number
}

export type Responder<B> = { schema: Joi.ObjectSchema<B>; handle(body: B, context: HandlerContext): Promise<unknown> }

export type Responders = {
  respond<B>(subject: RequestSubject, responder: Responder<B>): void
  /** Accepts no more requests and waits for those in flight. */
  stop(): Promise<void>
}

const maxInFlight = 256
/** How often a process says that it works on a request. */
const takenEveryMs = 400

/**
 * Answers requests; processes that answer the same subject share them. A process confirms a request at once, and again while it works
 * on it, so that the requester asks another when it receives nothing. A request whose deadline has passed is dropped before it
 * starts. While 256 are in flight in this process, others are rejected with SERVICE_UNAVAILABLE.
 */
export function createResponders(connection: Connection, log: Logger): Responders {
  const inFlight = new Set<Promise<void>>()
  const keys = new Set<string>()
  const subscriptions = new Set<{ drain(): Promise<void> }>()

  async function answer<B>(subject: RequestSubject, responder: Responder<B>, asked: Asked): Promise<void> {
    const { schema, handle } = responder
    const { message, request } = asked
    if (request && request.deadline <= Date.now()) {
      return log('bus.request_expired', { subject, requestId: request.requestId })
    }
    try {
      const { error, value } = schema.validate(request?.body, { convert: false })
      if (!request || error) throw new Error(`an invalid request: ${error?.details.map(({ type }) => type)}`)
      const { requestId, deadline, key = newId() } = request
      reply(message, encodeAnswer(await handle(value, { requestId, deadline, key })))
    } catch (error) {
      if (!(error instanceof AppError))
        log('bus.request_failed', { err: error, subject, requestId: request?.requestId })
      reply(message, encodeError(error))
    }
  }

  function accept<B>(subject: RequestSubject, responder: Responder<B>, message: Msg): void {
    const request = decodeRequest(message.string())
    const key = request?.key
    // A repeat of a request that is in progress here: its first message says so.
    if (key !== undefined && keys.has(key)) return
    if (inFlight.size >= maxInFlight) {
      reply(message, encodeError(unavailable('too many requests from gateways in flight')))
      return
    }
    const release = key === undefined ? () => {} : keepTaken(message, { key, keys })
    const work = answer(subject, responder, { message, request }).finally(() => {
      release()
      inFlight.delete(work)
    })
    inFlight.add(work)
  }

  return {
    respond(subject, responder) {
      connection.attach((nats) => {
        const callback = (error: Error | null, message: Msg) => {
          if (!error) accept(subject, responder, message)
        }
        const name = connection.names.subject(subject)
        const subscription = nats.subscribe(name, { queue: name, callback })
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

type Asked = { message: Msg; request: RequestEnvelope | null }

/** Replies that a request is in progress, and keeps its key meanwhile. @returns what ends it */
function keepTaken(message: Msg, { key, keys }: { key: string; keys: Set<string> }): () => void {
  keys.add(key)
  const notify = () => reply(message, taken)
  notify()
  const timer = setInterval(notify, takenEveryMs).unref()
  return () => {
    clearInterval(timer)
    keys.delete(key)
  }
}

/** Where the connection has ended no reply is sent: the requester asks another process. */
function reply(message: Msg, text: string): void {
  try {
    message.respond(text)
  } catch (error) {
    if (!(error instanceof NatsError && ended.has(error.code))) throw error
  }
}

const ended: ReadonlySet<string> = new Set([ErrorCode.ConnectionClosed, ErrorCode.ConnectionDraining])
