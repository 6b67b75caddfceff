import test from 'ava'
import { findVersion } from '#shared/data/flows/flow-versions.ts'
import { findFlowById } from '#shared/data/flows/flows.ts'
import { writeFlowFilters } from '#shared/data/migrations/031-flow-filters.ts'
import { flowDefinition, flowDocument, makeFlow } from '../../../support/databases/contents/flows.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

test('the upgrade writes the filters of stored flows and of their versions as filters, however often it starts', async (t) => {
  const { db } = await testDatabase(t)
  const where = { state: "'open'", minutes: '5' }
  const flows = await Promise.all(
    ['one', 'two', 'three'].map((name) => {
      const nodes = [{ id: 'page', type: 'list-items', list: 'cards', where }]
      return makeFlow(db, flowDefinition({ accountId: 'a', id: testId() }, flowDocument({ name, path: name, nodes })))
    }),
  )
  const move = async (after: string | null): Promise<number> => {
    const moved = await db.transaction((tx) => writeFlowFilters(tx, { after, limit: 2 }))
    return moved.rows + (moved.after === null ? 0 : await move(moved.after))
  }
  for (const _ of ['first', 'again']) {
    t.is(await move(null), 3)
    for (const { id, version } of flows) {
      const stored = await findFlowById(db, { accountId: 'a', flowId: id })
      const kept = await findVersion(db, { flowId: id, version })
      for (const document of [stored?.document, kept?.document])
        t.deepEqual(JSON.parse(document ?? '').nodes[0].where, { state: { filter: "'open'" }, minutes: '5' })
    }
  }
})
