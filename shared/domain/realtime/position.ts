import { isId } from '../id.ts'

/**
 * A position in the order of an account's commits: after the event `at` of the commit `number`. The first commit is number 1, the first
 * event of each is at 0.
 */
export type Position = { number: number; at: number }

/** The place before the first event. */
export const beginning: Position = { number: 0, at: 0 }

/** Before all events of a commit. */
export function beforeCommit(number: number): Position {
  return { number, at: -1 }
}

export function isBehind(one: Position, other: Position): boolean {
  return one.number > other.number || (one.number === other.number && one.at > other.at)
}

/** Whether one position directly follows another: commit numbers, and events within a commit, have no gaps. */
export function follows(next: Position, { number, at }: Position): boolean {
  return next.number === number ? next.at === at + 1 : next.number === number + 1 && next.at === 0
}

/** The position of a client: the commit, and the id of one of its events; null: before the first commit. */
export type ResumeId = { number: number; eventId: string } | null

/**
 * The value that a client sends to continue. `grant`: identifies what it could see at that time, to compare with what it may see now;
 * empty: all.
 */
export type ResumePoint = { id: ResumeId; grant: string }

const first = '0'

/** The `id:` of a frame. */
export function writeResumePoint({ id, grant }: ResumePoint): string {
  const place = id === null ? first : `${id.number}-${id.eventId}`
  return grant === '' ? place : `${place}.${grant}`
}

/** @returns undefined for a text that `writeResumePoint` never writes */
export function readResumePoint(text: string): ResumePoint | undefined {
  const [, place = '', grant = ''] = /^([^.]+)(?:\.([\w-]+))?$/.exec(text) ?? []
  if (place === first) return { id: null, grant }
  const [, number = '', eventId = ''] = /^([1-9]\d{0,14})-(.+)$/.exec(place) ?? []
  return isId(eventId) ? { id: { number: Number(number), eventId }, grant } : undefined
}
