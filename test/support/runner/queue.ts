import { availableParallelism } from 'node:os'
import type { SourceFile } from '../tidy/source-files.ts'
import { readCosts } from './reports/summary.ts'
import type { RoomRun } from './room.ts'
import { type Room, roomsOf } from './rooms.ts'
import { hasOwnNats, type Lane, testFiles } from './test-files.ts'

/** The files of a run in one lane, and the settings with which they find its database. */
export type LaneOfRun = { lane: Lane; files: readonly SourceFile[]; env: Record<string, string> }

/** Tests spend much of their time waiting. */
export const concurrency = availableParallelism() + 1

/** The rooms of all lanes as one queue, the slowest first. */
export function planRooms(
  lanes: readonly LaneOfRun[],
  { match, natsUrls }: { match: readonly string[]; natsUrls: string },
): RoomRun[] {
  const costs = readCosts()
  const secondsOf = (room: RoomRun) => costs.get(`${room.lane} ${room.name}`) ?? guessedSeconds(room)
  const rooms = lanes.flatMap(({ lane, files, env }) =>
    roomsByNats(files, natsUrls).flatMap(({ rooms, TEST_NATS_URL }) =>
      rooms.map(({ name, parts, why }): RoomRun => {
        return { lane, name, parts, match, isApart: why !== null, env: { ...env, TEST_NATS_URL } }
      }),
    ),
  )
  return rooms.sort((a, b) => secondsOf(b) - secondsOf(a))
}

/** If NATS servers are given, files that need their own server have separate rooms. */
function roomsByNats(files: readonly SourceFile[], urls: string): { rooms: Room[]; TEST_NATS_URL: string }[] {
  const own = urls === '' ? [] : files.filter(hasOwnNats)
  const others = files.filter((file) => !own.includes(file))
  const all = testFiles()
  return [
    { rooms: roomsOf(others, all), TEST_NATS_URL: urls },
    { rooms: roomsOf(own, all), TEST_NATS_URL: '' },
  ]
}

/** Before the first complete run: a listd starts in seconds, most other files end within one. */
function guessedSeconds({ name, parts }: RoomRun): number {
  return /^(e2e|browser|openapi)/.test(name) ? 20 : parts.length
}
