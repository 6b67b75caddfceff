import test from 'ava'
import { behindWords, heldWords, secondsToCatchUp } from '#shared/domain/webhook/behind-words.ts'

const webhook = (heldCount: number, heldIsAtLeast = false) => ({ waitingCount: 1_000, heldCount, heldIsAtLeast })

test('held events are counted up to a bound, and reported as more beyond it', (t) => {
  t.is(heldWords(webhook(1)), '1 event')
  t.is(heldWords(webhook(1_945)), '1,945 events')
  t.is(heldWords(webhook(10_000, true)), 'more than 10,000 events')
})

test('after many changes, webhooks that are behind are reported together, and others are not', (t) => {
  t.is(behindWords([]), null)
  t.is(behindWords([webhook(0)]), null)
  const rest = 'will be sent after the earlier ones. None is lost.'
  t.is(behindWords([webhook(0), webhook(1_945)]), `1 webhook is behind: 1,945 events ${rest}`)
  t.is(behindWords([webhook(10_000, true), webhook(5)]), `2 webhooks are behind: more than 10,005 events ${rest}`)
})

test('the time until everything is sent follows from the decrease between two observations', (t) => {
  t.is(secondsToCatchUp({ at: 0, left: 3_000 }, { at: 5_000, left: 2_000 }), 10)
  t.is(secondsToCatchUp({ at: 0, left: 3_000 }, { at: 5_000, left: 3_000 }), null)
  t.is(secondsToCatchUp({ at: 0, left: 3_000 }, { at: 5_000, left: 3_001 }), null)
  t.is(secondsToCatchUp({ at: 0, left: 3_000 }, { at: 0, left: 2_000 }), null)
})
