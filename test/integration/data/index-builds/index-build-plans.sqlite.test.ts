import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { buildBatch } from '#shared/data/index-builds/batch.ts'
import { readBuilds } from '#shared/data/index-builds/builds.ts'
import { purgeValues } from '#shared/data/index-builds/value-purge.ts'
import { writeIndexChange } from '#shared/data/lists/index-changes.ts'
import { findList } from '#shared/data/lists/lists.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { storeItems } from '../../../support/databases/contents/indexed-items.ts'
import { makeList, testId } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'

test('batches of a build and of a purge read their rows in the order of an index', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  await storeItems(
    db,
    at,
    Array.from({ length: 5 }, (_, n) => ({ slug: `S${n}` })),
  )
  const list = await findList(db, at.accountId, at.listId)
  if (!list) return t.fail()
  const index = newIndex({ pathName: 'slug', pointer: '/slug', alias: true }, { id: testId(), ...at, at: 0 })
  const after = { ...index, buildStatus: 'building' as const }
  await db.transaction((tx) => writeIndexChange(tx, list, { before: null, after }))

  const batches = await explained(t, dataDir)
  for (const items of [2, 2, 2]) {
    const [build] = await readBuilds(db, 1)
    if (build) await buildBatch(batches.db, build, { items, bytes: 1_000 })
  }
  const changed = await findList(db, at.accountId, at.listId)
  const rebuilt = { ...after, valuesId: testId() }
  if (changed) await db.transaction((tx) => writeIndexChange(tx, changed, { before: after, after: rebuilt }))
  const purge = await explained(t, dataDir)
  t.like(await purgeValues(purge.db, { valuesId: index.valuesId, from: null }, 2), { rows: 2, more: true })

  const plans = [...batches.plans, ...purge.plans].filter(({ text }) => !text.includes('index_value_purges'))
  t.is(plans.length, 3 * 2 + 1)
  for (const plan of plans) t.deepEqual(slowSteps(plan), [], plan.text)
})

/** A separate connection, because an explained statement keeps the snapshot of the next read open. */
async function explained(t: ExecutionContext, dataDir: string) {
  const db = await anotherConnection(t, dataDir)
  const { db: watched, plans } = watchPlans(db)
  return { db: { ...db, ...watched } as Database, plans }
}
