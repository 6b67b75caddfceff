import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RoomRun } from './room.ts'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'dist/rooms')

/** How often this process has written room files. */
let written = 0

/**
 * Writes a test file for each room, which ava runs in a separate process, in the given order.
 * @returns their paths, and a function that removes them
 */
export function writeRoomFiles(rooms: readonly RoomRun[]): { paths: string[]; remove(): void } {
  removeLeftOvers()
  const own = join(folder, `${process.pid}-${++written}`)
  mkdirSync(own, { recursive: true })
  const remove = () => rmSync(own, { recursive: true, force: true })
  process.on('exit', remove)
  const paths = rooms.map((room, n) => {
    const name = `${`${n + 1}`.padStart(4, '0')}-${room.lane}-${room.name.replaceAll('/', '-')}`
    const path = join(own, `${name}.test.ts`)
    writeFileSync(
      path,
      `import { runRoom } from '../../../test/support/runner/room.ts'\n\nawait runRoom(${JSON.stringify(room)})\n`,
    )
    return path
  })
  return { paths, remove }
}

/** A killed run leaves its folder. */
function removeLeftOvers(): void {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder).filter((name) => !existsSync(`/proc/${name.split('-')[0]}`)))
    rmSync(join(folder, name), { recursive: true, force: true })
}
