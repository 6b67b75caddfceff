import test from 'ava'
import { commandLine } from '../../../../support/processes/command-line.ts'

test('an index of parts of texts is rejected by name on databases other than Postgres', async (t) => {
  const { run } = await commandLine(t)
  await run(['migrate'])
  const onMysql = { LISTD_DATABASE_URL: 'mysql://listd:canary-password@db.example.com/listd' }
  for (const [env, place] of [
    [{}, 'the database is SQLite'],
    [onMysql, 'the database is on a MySQL server'],
  ] as const) {
    for (const drop of [[], ['--drop']]) {
      const { code, stdout, stderr } = await run(['db', 'parts-index', ...drop], { env })
      const message = `listd: an index of parts of texts needs Postgres, and ${place}. Nothing was changed.\n`
      t.deepEqual([code, stdout, stderr], [1, '', message])
    }
  }
})
