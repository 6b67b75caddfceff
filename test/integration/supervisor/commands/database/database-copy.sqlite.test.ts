import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import test from 'ava'
import { copyDatabaseCommand } from '#services/supervisor/commands/database/database-copy.ts'
import { commandLine, settingsOf } from '../../../../support/processes/command-line.ts'
import { freePort } from '../../../../support/processes/free-port.ts'
import { leaveMasterKey } from '../../../../support/processes/master-key.ts'

test('db copy reports the copied rows, and which master key the copy needs', async (t) => {
  const { run, dataDir, database } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'kitchen'])
  await leaveMasterKey(dataDir, await database())
  const copy = `sqlite:${join(dataDir, 'copied.db')}`
  const { code, stdout, stderr } = await run(['db', 'copy', '--to', copy])
  t.is(code, 0)
  t.regex(stdout, /^TABLE +ROWS +SHA-256\n(.+\n)*accounts +1 +[0-9a-f]{64}\n/)
  t.regex(stderr, /^Both databases contain the same rows\.\nThe copy needs the same master key, .* [0-9a-f]{8}\.\n$/)
  const accounts = await run(['account', 'list'], { env: { LISTD_DATABASE_URL: copy } })
  t.regex(accounts.stdout, / kitchen /)
  t.regex((await run(['db', 'copy', '--to', copy])).stderr, /^listd: the database to copy to is not empty: /)
})

test('on a terminal the progress is one line that is overwritten', async (t) => {
  const { run, dataDir } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'kitchen'])
  let shown = ''
  const env = settingsOf(dataDir)
  const stderr = { isTTY: true, write: (text: string) => (shown += text) }
  const terminal = { env, stdin: Readable.from([]), stdout: { write: () => true }, stderr, connected: false }
  await copyDatabaseCommand(terminal, { to: `sqlite:${join(dataDir, 'copied.db')}` })
  t.true(shown.startsWith('\r\u001b[Kaccounts: 1 of 1 rows\r\u001b[K'))
  t.true(shown.endsWith('\r\u001b[KBoth databases contain the same rows.\n'))
})

test('the address of a server is read from a file, and never shown', async (t) => {
  const { run, dataDir } = await commandLine(t)
  await run(['migrate'])
  const file = join(dataDir, 'address')
  const port = await freePort()
  const calls = [
    { args: ['--to', 'postgres://me:geheim@db/lists'], says: /Other users can see arguments: .* --to-file\.\n$/ },
    { args: [], says: /use --to sqlite:<file>, or --to-file/ },
    {
      args: ['--to-file', file],
      holds: 'postgres://me:geheim@db',
      says: /address must contain sqlite:<file>, or postgres/,
    },
    { args: ['--to-file', file], holds: '', says: /address must contain sqlite:<file>, or postgres/ },
    {
      args: ['--to-file', file],
      holds: `postgres://me:geheim@127.0.0.1:${port}/lists\n`,
      says: new RegExp(`The database at 127\\.0\\.0\\.1:${port} cannot be used`),
    },
  ]
  for (const { args, holds, says } of calls) {
    if (holds !== undefined) await writeFile(file, holds)
    const { code, stdout, stderr } = await run(['db', 'copy', ...args])
    t.is(code, 1)
    t.regex(stderr, says)
    t.false((stdout + stderr).includes('geheim'))
  }
})
