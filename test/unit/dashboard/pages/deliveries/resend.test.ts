import test from 'ava'
import type { Redelivered } from '#client/src/types/user-resources.ts'
import { type Resent, resendAll, resendFields } from '#services/dashboard/pages/deliveries/resend.ts'

const now = Date.parse('2026-03-02T10:00:00.000Z')
const all = resendFields({}, 'failed', now)

/** Returns the answers one by one, and records the cursors of the requests. */
function answering(...answers: Redelivered[]) {
  const asked: (string | undefined)[] = []
  const send = async ({ after }: { after?: string }) => {
    asked.push(after)
    const answer = answers.shift()
    if (!answer) throw new Error('asked too often')
    return answer
  }
  return { asked, send }
}

const running = () => ({ signal: new AbortController().signal, onProgress: (_: Resent) => {} })

test('the conditions of the page are those of the redelivery, up to the time of the question', (t) => {
  t.deepEqual(
    resendFields({ status: 'failed', event: 'item.created', error: 'timeout', since: '1h' }, 'settled', now),
    {
      status: 'settled',
      event: 'eq:item.created',
      error: 'timeout',
      startAt: '2026-03-02T09:00:00.000Z',
      endAt: '2026-03-02T10:00:00.000Z',
    },
  )
  t.deepEqual(all, { status: 'failed', startAt: '1970-01-01T00:00:00.000Z', endAt: '2026-03-02T10:00:00.000Z' })
})

test('calls follow until all matches were examined, and their numbers are added', async (t) => {
  const { asked, send } = answering({ queued: 2, skipped: 0, next: 'a' }, { queued: 1, skipped: 3 })
  const reported: Resent[] = []
  const resent = await resendAll(send, all, { ...running(), onProgress: (progress) => reported.push(progress) })
  t.deepEqual(resent, { queued: 3, skipped: 3, isWhole: true })
  t.deepEqual(asked, [undefined, 'a'])
  t.deepEqual(reported[0], { queued: 2, skipped: 0, isWhole: false })
})

test('a count ends after a limited number of calls, and says that there may be more', async (t) => {
  const { send } = answering({ queued: 2, skipped: 0, next: 'a' }, { queued: 2, skipped: 0, next: 'b' })
  t.deepEqual(await resendAll(send, all, { ...running(), mostCalls: 2 }), { queued: 4, skipped: 0, isWhole: false })
})

test('a user who stops the redelivery has sent what was sent so far', async (t) => {
  const stopping = new AbortController()
  const { send } = answering({ queued: 2, skipped: 0, next: 'a' })
  const onProgress = () => stopping.abort()
  const resent = await resendAll(send, all, { signal: stopping.signal, onProgress })
  t.deepEqual(resent, { queued: 2, skipped: 0, isWhole: false })
})
