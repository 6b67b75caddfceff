import { useRef } from 'preact/hooks'
import type { Webhook } from '#client/src/types/user-resources.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { type Left, secondsToCatchUp } from '#shared/domain/webhook/behind-words.ts'

/** When a webhook's waiting and held deliveries are sent, estimated from the decrease since the previous look; empty: not known. */
export function usePace({ activated, waitingCount, heldCount, heldIsAtLeast }: Webhook): string {
  const looks = useRef<{ before: Left | null; now: Left }>({ before: null, now: { at: Date.now(), left: -1 } })
  const left = waitingCount + heldCount
  if (looks.current.now.left !== left) {
    const { now } = looks.current
    looks.current = { before: now.left === -1 ? null : now, now: { at: Date.now(), left } }
  }
  const { before, now } = looks.current
  if (!activated || heldCount === 0 || heldIsAtLeast || before === null) return ''
  const seconds = secondsToCatchUp(before, now)
  return seconds === null ? '' : `At the current rate, they are sent in ${durationWords(seconds)}.`
}

function durationWords(seconds: number): string {
  if (seconds < 120) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 120 ? `${minutes} min` : counted(Math.round(minutes / 60), 'hour')
}
