import { type BareEvent, type BareSenderOptions, createBareSender } from './bare-delivery.ts'
import { runProgram } from './run-program.ts'

/** `waiting`: the events to send, by the position of their webhook. `send`: send them. */
export type BareLoopQuestion = { waiting: BareEvent[][] } | 'send'

/** The yardstick of the drain: a loop per webhook that sends its deliveries one after the other. */
runProgram<BareSenderOptions>(async (options) => {
  const send = createBareSender(options)
  let waiting: BareEvent[][] = []

  async function sendAll(webhook: number, events: readonly BareEvent[]): Promise<void> {
    for (const event of events) await send(webhook, event)
  }

  return {
    ready: null,
    async answer(question: BareLoopQuestion) {
      if (question === 'send') await Promise.all(waiting.map((events, webhook) => sendAll(webhook, events)))
      else waiting = question.waiting
      return null
    },
  }
})
