import type { ChildProcess } from 'node:child_process'
import { EventEmitter } from 'node:events'
import test from 'ava'
import { watchHeartbeat } from '#services/supervisor/processes/heartbeat.ts'

/** A process that answers so many questions. */
function processOf({ answers, asked }: { answers: number; asked(count: number): void }): ChildProcess {
  let questions = 0
  const child = new EventEmitter()
  const send = () => {
    questions++
    if (questions <= answers) child.emit('message', { pong: true })
    asked(questions)
  }
  return Object.assign(child, { send }) as unknown as ChildProcess
}

test('a process is hung when it has left so many questions in a row unanswered, which is told once', async (t) => {
  let questions = 0
  let told = 0
  const child = processOf({ answers: 10, asked: (count) => (questions = count) })
  await new Promise<void>((resolve) => {
    watchHeartbeat(child, {
      everyMs: 1,
      maxUnanswered: 3,
      onHung() {
        told++
        setTimeout(resolve, 10)
      },
    })
  })
  t.is(questions, 13)
  t.is(told, 1)
})

test('a process that is no longer watched is asked nothing', async (t) => {
  const stop = Promise.withResolvers<() => void>()
  const child = processOf({ answers: 0, asked: () => void stop.promise.then((stopAsking) => stopAsking()) })
  stop.resolve(watchHeartbeat(child, { everyMs: 1, maxUnanswered: 2, onHung: () => t.fail() }))
  await new Promise((resolve) => setTimeout(resolve, 10))
  t.pass()
})
