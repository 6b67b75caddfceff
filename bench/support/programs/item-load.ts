import { assertSuccess, type ClosedLoop, closedLoop, type LoadResult, numbered } from '../loads/closed-loop.ts'
import { openRawConnection } from '../loads/raw-connection.ts'
import { runProgram } from './run-program.ts'

/** Changes of items, of which each connection has some that no other changes. */
export type ItemLoad = ClosedLoop & {
  items: readonly ItemRequests[]
  /** Each change reads the item again; otherwise its tag is the one of the answer before. */
  readsFirst?: boolean
}

/** The requests that read and change an item: `########` in them is replaced by a unique number, and `{etag}` by the item's tag. */
export type ItemRequests = { read: string; change: string }

runProgram(async () => ({ ready: null, answer: applyLoad }))

/** A conflict is an error, as every answer but a success: no other client changes the items. */
async function applyLoad({ items, readsFirst = false, ...loop }: ItemLoad): Promise<LoadResult> {
  const etags = await readEtags(loop.origin, items)
  const each = Math.floor(items.length / loop.connections)
  const turns = Array.from({ length: loop.connections }, () => 0)
  return closedLoop(loop, async (connection, position) => {
    const turn = turns[position] ?? 0
    turns[position] = turn + 1
    const at = position * each + (turn % each)
    const { read = '', change = '' } = items[at] ?? {}
    const send = async (request: string) => {
      const { status, etag } = await connection.ask(request)
      assertSuccess(status)
      etags[at] = etag
    }
    if (readsFirst) await send(read)
    await send(numbered(change).replace('{etag}', etags[at] ?? ''))
    return true
  })
}

/** The tags that the items have before the time begins. */
async function readEtags(origin: string, items: readonly ItemRequests[]): Promise<string[]> {
  const connection = await openRawConnection(origin)
  const etags: string[] = []
  for (const { read } of items) etags.push((await connection.ask(read)).etag)
  connection.close()
  return etags
}
