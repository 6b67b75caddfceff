import test from 'ava'
import { putSetting } from '#shared/data/settings/settings.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

test('others have written if another connection has committed, whatever this one wrote itself', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const other = await anotherConnection(t, dataDir)
  const { othersWrote } = db
  if (!othersWrote) return t.fail()
  await othersWrote()
  t.false(await othersWrote())
  await db.transaction((tx) => putSetting(tx, 'trial', 'mine'))
  await db.checkpoint()
  t.false(await othersWrote())
  await other.transaction((tx) => putSetting(tx, 'trial', 'theirs'))
  t.true(await othersWrote())
  t.false(await othersWrote())
  await other.checkpoint()
  await other.all('select * from settings')
  t.false(await othersWrote())
})

test('others have written if a write of this process had to wait for another one', async (t) => {
  const { db } = await testDatabase(t)
  const { othersWrote } = db
  if (!othersWrote) return t.fail()
  await othersWrote()
  const write = (value: string) => db.transaction((tx) => putSetting(tx, 'trial', value))
  await write('one')
  await write('after the other')
  t.false(await othersWrote())
  await Promise.all([write('two'), write('at once')])
  t.true(await othersWrote())
  t.false(await othersWrote())
})
