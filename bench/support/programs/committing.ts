import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { type Committer, createCommitter } from '#shared/data/items/commit/commit.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { itemChange } from '../../../test/support/databases/contents/rows.ts'
import { monotonicMs } from '../clock.ts'
import { runProgram } from './run-program.ts'

export type ListKey = { accountId: string; listId: string }
/** Creations in random lists, with a fixed number at a time. */
export type Committing = { lists: readonly ListKey[]; atATime: number; seconds: number }

/** Commits creations as a gateway does, without HTTP; an answer is how many. */
runProgram<{ url: string; dataDir: string }>(async (database) => {
  const db: Database = await openDatabase(database)
  const committer = createCommitter(db, { announce() {} })
  return { ready: null, answer: (question: Committing) => commitFor(committer, question) }
})

async function commitFor(committer: Committer, { lists, atATime, seconds }: Committing): Promise<number> {
  const endsAt = monotonicMs() + seconds * 1_000
  let committed = 0
  async function keepCommitting(): Promise<void> {
    for (; monotonicMs() < endsAt; committed++) await committer.commit(creation(lists))
  }
  await Promise.all(Array.from({ length: atATime }, keepCommitting))
  return committed
}

function creation(lists: readonly ListKey[]) {
  const list = lists[Math.floor(Math.random() * lists.length)]
  if (!list) throw new Error('there is no list')
  const change = itemChange(list, { itemId: newId() })
  return { ...change, event: { ...change.event, id: newId() } }
}
