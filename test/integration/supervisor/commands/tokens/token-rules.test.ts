import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { listAccounts } from '#shared/data/accounts/accounts.ts'
import { findTokensByRef, writeToken } from '#shared/data/tokens/tokens.ts'
import type { ApiToken } from '#shared/domain/token/fields.ts'
import { addList } from '../../../../support/databases/contents/lists.ts'
import { commandLine } from '../../../../support/processes/command-line.ts'
import type { Teardown } from '../../../../support/test-context/teardown.ts'

const viewLists = { mode: 'allow', action: 'view', resourceType: 'list' }
const published = {
  mode: 'allow',
  action: 'view',
  resourceType: 'item',
  listIds: ['posts'],
  where: { status: 'eq:published' },
}

/** A token that may view lists, in an account with the list `posts`. */
async function setUp(t: Teardown) {
  const { dataDir, run, database } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  await run(['token', 'create', '--name', 'app', '--permissions', JSON.stringify([viewLists])])
  const db = await database()
  const [account] = await listAccounts(db, { limit: 1 })
  const accountId = account?.id ?? ''
  const status = { pathName: 'status', pointer: '/status', filtering: true }
  const listId = await addList(db, accountId, { pathName: 'posts', indexes: [status] })
  const file = join(dataDir, 'rules.json')
  return {
    db,
    listId,
    file,
    accountId,
    run,
    rules: (...more: string[]) => run(['token', 'rules', '--token', 'app', ...more]),
    async set(text: unknown, ...more: string[]) {
      await writeFile(file, typeof text === 'string' ? text : JSON.stringify(text))
      return run(['token', 'rules', '--token', 'app', '--set', file, ...more])
    },
    async stored() {
      const [token] = await findTokensByRef(db, { accountId, ref: 'app' })
      return token as ApiToken
    },
  }
}

test('rules are printed as JSON with the path names of lists, and the output can be set', async (t) => {
  const { rules, set, stored, listId, file } = await setUp(t)
  t.like(await rules(), { code: 0, stdout: `${JSON.stringify([viewLists], null, 2)}\n`, stderr: '' })

  const written = await set([viewLists, published])
  t.like(written, { code: 0, stdout: '' })
  t.is(
    written.stderr,
    `+ rule 2: ${JSON.stringify(published)}\nThe token "app" now has the rules of ${file}; a running gateway notices within 5 seconds.\n`,
  )
  t.deepEqual((await stored()).permissions[1]?.listIds, [listId])
  t.like((await stored()).ruleIndexes, [{ listId, name: 'status', pointer: '/status' }])

  const printed = await rules()
  t.deepEqual(JSON.parse(printed.stdout), [viewLists, published])
  const same = await set(printed.stdout)
  t.like(same, { code: 0, stderr: 'The token "app" already has these rules; nothing was changed.\n' })
})

test('changes are reported, with JSON the token is printed too, and the event log has them', async (t) => {
  const { db, set, stored } = await setUp(t)
  await set([viewLists, published])
  const changed = await set([published, { mode: 'block', action: 'delete' }], '--json')
  t.regex(
    changed.stderr,
    /^- rule 1: .*"list"}\n\+ rule 2: \{"mode":"block","action":"delete"}\nThe token "app" now has/,
  )
  t.like(JSON.parse(changed.stdout), { name: 'app', account: 'main', rules: 2 })
  const log = await db.all('select type, actor from events where model_id = ? order by id', [(await stored()).id])
  t.deepEqual(
    log.map(({ type, actor }) => [type, actor]),
    ['token-created', 'token-updated', 'token-updated'].map((type) => [type, 'null']),
  )
})

test('rules whose index has changed are bound to its current state', async (t) => {
  const { db, set, stored } = await setUp(t)
  await set([published])
  const token = await stored()
  const ruleIndexes = token.ruleIndexes.map((index) => ({ ...index, pointer: '/other' }))
  await db.transaction((tx) => writeToken(tx, { ...token, ruleIndexes }))
  t.regex(
    (await set([published])).stderr,
    /^The rules are the same, and were bound again to the indexes that they name\.\n/,
  )
  t.like((await stored()).ruleIndexes, [{ pointer: '/status' }])
})

test('an invalid rule is rejected with its position, and nothing is written', async (t) => {
  const { set, stored, rules, file } = await setUp(t)
  const before = await stored()
  for (const [text, message] of [
    [[{ ...viewLists, whrere: {} }], /rules\.0\.whrere is not allowed/],
    [
      [viewLists, { mode: 'maybe', action: 'fly' }],
      /rules\.1\.mode must be one of .*; rules\.1\.action must be one of/,
    ],
    [[{ ...published, where: { colour: 'eq:red' } }], /rules\.0\.where\.colour is not an index of the list/],
    [
      [{ ...published, where: { status: 'eq:$identity.shoe' } }],
      /rules\.0\.where\.status must have one of \$identity\.id/,
    ],
    [[{ ...published, listIds: ['pots'] }], /rules\.0\.listIds\.0 is not the path name of a list/],
    [{ permissions: [] }, /rules must be an array of rules/],
    ['[{"mode": "allow",}]', new RegExp(`${file}:1:19: `)],
  ] as const) {
    const rejected = await set(text)
    t.is(rejected.code, 1)
    t.regex(rejected.stderr, message)
  }
  t.regex((await rules('--set', `${file}.none`)).stderr, /rules\.json\.none does not exist/)
  t.deepEqual(await stored(), before)
})

test('impossible conditions of a new token are named, too', async (t) => {
  const { run, database } = await commandLine(t)
  await run(['migrate'])
  await run(['account', 'create', '--name', 'main'])
  const [account] = await listAccounts(await database(), { limit: 1 })
  await addList(await database(), account?.id ?? '', { pathName: 'posts' })
  const rejected = await run(['token', 'create', '--permissions', JSON.stringify([published])])
  t.is(rejected.code, 1)
  t.regex(rejected.stderr, /--permissions\.0\.where\.status is not an index of the list/)
})

test('the doctor names the tokens whose conditions use an index that was deleted, deactivated or replaced, and no others', async (t) => {
  const { db, run, set, stored, listId, accountId } = await setUp(t)
  const examined = async () => {
    const { stdout } = await run(['doctor', '--json'], { env: { LISTD_GATEWAY_PORT: '0' } })
    const checks: { check: string; state: string; message: string }[] = JSON.parse(stdout)
    return checks.filter(({ check }) => check === 'rules with conditions').map(({ message }) => message)
  }
  const none = ['all mean the same as when they were saved']
  t.deepEqual(await examined(), none)
  await set([viewLists, published])
  t.deepEqual(await examined(), none)

  const { id } = await stored()
  const named = `an index has changed, so rules allow nothing or block everything they select: app (${id}: rule 2)`
  for (const columns of [{ pointer: '/other' }, { value_type: 'number' }, { filtering: false }, { activated: false }]) {
    const before = await db.get(db.build('indexes').where({ list_id: listId }).select(Object.keys(columns)))
    await db.run(db.build('indexes').where({ list_id: listId }).update(columns))
    t.deepEqual(await examined(), [named], JSON.stringify(columns))
    await db.run(
      db
        .build('indexes')
        .where({ list_id: listId })
        .update(before ?? {}),
    )
  }
  t.deepEqual(await examined(), none)
  await db.run(db.build('indexes').where({ list_id: listId }).delete())
  t.deepEqual(await examined(), [named])

  await addList(db, accountId, {
    pathName: 'notes',
    indexes: [{ pathName: 'status', pointer: '/status', filtering: true }],
  })
  await set([{ ...published, listIds: ['notes'], where: { status: 'eq:$identity.name' } }])
  t.regex((await examined()).join(), /^rules compare \$identity\.name, .*: app \(\S+: rule 1\)$/)
})
