import { type BareEvent, type BareSenderOptions, createBareSender } from './bare-delivery.ts'
import { runProgram } from './run-program.ts'

/** Events by the position of the webhook they are for; an empty question sends those of the one before. */
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
