import test from 'ava'
import { watchHeartbeat } from '#services/supervisor/processes/heartbeat.ts'

test('a process is hung after a number of unanswered questions in a row, and this is reported once', async (t) => {
  let questions = 0
  const reported: number[] = []
  await new Promise<void>((resolve) => {
    const watch = watchHeartbeat({
      everyMs: 1,
      maxUnanswered: 3,
      ask() {
        questions++
        if (questions <= 10) watch.answered()
      },
      onHung(silentMs) {
        reported.push(silentMs)
        setTimeout(resolve, 10)
      },
    })
  })
  t.is(questions, 13)
  t.deepEqual(reported, [3])
})

test('a process that is no longer watched gets no questions', async (t) => {
  let questions = 0
  await new Promise<void>((resolve) => {
    const watch = watchHeartbeat({
      everyMs: 1,
      maxUnanswered: 3,
      ask() {
        questions++
        watch.stop()
        setTimeout(resolve, 10)
      },
      onHung: () => t.fail(),
    })
  })
  t.is(questions, 1)
})
