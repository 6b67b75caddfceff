import { setTimeout as pause } from 'node:timers/promises'
import { createInbox, type Msg, type NatsConnection, NatsError } from 'nats'
import { unavailable } from '#shared/errors.ts'
import { isAlive } from '../liveness.ts'
import { taken } from './envelope.ts'

/** The interval for checking replies; within this time a process confirms that it has accepted a request. */
const lookMs = 250
/** When a process that works on a request has been silent this long, NATS is pinged, and then another process is asked. */
const quietMs = { pinged: 500, vanished: 3_000 }
/** The longest pause between two processes that are asked. */
const longestPauseMs = 2_000

type Question = { subject: string; name: string; text: string; timeoutMs: number; pingTimeoutMs: number }

/**
 * Asks a process, and another one whenever none has accepted the request, or the one that had falls silent. The server chooses the
 * process among those that it believes to exist.
 * @returns the first answer, as text
 * @throws SERVICE_UNAVAILABLE without one: when no process answers the subject, NATS is silent or unreachable, or the time is over
 */
export async function askUntilTaken(nats: NatsConnection, question: Question): Promise<string> {
  const { subject, name, text, timeoutMs } = question
  const heard = { at: performance.now(), isTaken: false, wasTaken: false }
  const { promise: answer, resolve, reject } = Promise.withResolvers<string>()
  const inbox = createInbox()
  const subscription = nats.subscribe(inbox, {
    callback(error: NatsError | null, message: Msg) {
      if (error) return reject(unavailable('the connection to NATS ended'))
      if (isFromServer(message)) {
        // The silent process may have been the only one, and another may start in time.
        if (!heard.wasTaken) reject(unavailable(`no process answers ${subject}`))
        return
      }
      heard.at = performance.now()
      const said = message.string()
      if (said !== taken) return resolve(said)
      heard.isTaken = true
      heard.wasTaken = true
    },
  })
  const ended = new AbortController()
  const send = () => nats.publish(name, text, { reply: inbox })
  try {
    send()
    return await Promise.race([
      answer,
      askAgain(nats, question, { heard, send, signal: ended.signal }),
      nats.closed().then(() => Promise.reject(unavailable('the connection to NATS ended'))),
      pause(timeoutMs, undefined, { signal: ended.signal, ref: false }).then(() =>
        Promise.reject(unavailable(`no answer to ${subject} in time`)),
      ),
    ])
  } catch (error) {
    throw error instanceof NatsError ? unavailable('the connection to NATS ended') : error
  } finally {
    ended.abort()
    if (!nats.isClosed()) subscription.unsubscribe()
  }
}

type Watched = { heard: { at: number; isTaken: boolean; wasTaken: boolean }; send(): void; signal: AbortSignal }

/** @throws SERVICE_UNAVAILABLE when NATS is silent; an AbortError at the end */
async function askAgain(nats: NatsConnection, question: Question, { heard, send, signal }: Watched): Promise<never> {
  for (let asked = 1; ; ) {
    await pause(lookMs, undefined, { signal, ref: false })
    const quiet = () => performance.now() - heard.at
    if (quiet() < (heard.isTaken ? quietMs.pinged : lookMs)) continue
    // Messages that have already arrived are read first, because this process itself may have been busy.
    if (!(await isAlive(nats, question.pingTimeoutMs))) throw unavailable('NATS does not respond')
    const patienceMs = heard.isTaken
      ? quietMs.vanished
      : Math.min(longestPauseMs, lookMs * 2 ** Math.floor((asked - 1) / 2))
    if (signal.aborted || quiet() < patienceMs) continue
    heard.at = performance.now()
    heard.isTaken = false
    asked++
    send()
  }
}

/** The server itself says, without any data, that there are no responders. */
function isFromServer({ data, headers }: Msg): boolean {
  return data.length === 0 && headers?.code === 503
}
