import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { serveIdentities } from '#services/identity/main.ts'
import { openSealer } from '#shared/crypto/seal.ts'
import { listTables } from '#shared/data/copy/tables.ts'
import type { Database, Row } from '#shared/data/database.ts'
import { migrate } from '#shared/data/migrate.ts'
import { migrations } from '#shared/data/migrations/migrations.ts'
import { checkMasterKey } from '#shared/data/secrets/sealing-key.ts'
import { webhookSecretBinding } from '#shared/domain/webhook/secret.ts'
import { matchesFixture } from '../../../support/assertions/fixture.ts'
import { until } from '../../../support/assertions/until.ts'
import { exampleRows } from '../../../support/databases/contents/example-rows.ts'
import {
  anotherConnection,
  databaseSettings,
  emptyDirectory,
  testBackend,
  testDatabase,
} from '../../../support/databases/database.ts'
import { dumpSchema } from '../../../support/databases/schemas/schema-dump.ts'
import { type Api, createApi } from '../../../support/http/api.ts'
import { startGateway } from '../../../support/http/gateway.ts'
import { answers } from '../../../support/identity/identity.ts'
import { testNats } from '../../../support/nats/nats.ts'
import { describeSteps, makeRelease, recordAnswers, write } from '../../../support/released/make-release.ts'
import {
  answersOf,
  byText,
  byVersion,
  insertReleased,
  knowledgeOf,
  makeReleasedSchema,
  type ReleasedKnowledge,
  readReleased,
  releases,
  releasesFolder,
  rowsOf,
  statementsOf,
  tablesOf,
  thisRelease,
} from '../../../support/released/release.ts'
import { shared } from '../../../support/test-context/shared.ts'
import { testLog } from '../../../support/test-context/test-log.ts'

const codeVersion = migrations.at(-1)?.version ?? 0
const remedy =
  `Run this file with TEST_UPDATE_FIXTURES=1 on each database, SQLite first, which writes test/fixtures/released/${thisRelease}. ` +
  `If v${thisRelease}.0 is tagged already, first raise the version in package.json: what is released stays as it is.`

/** Whether the fixtures of this release are written; those of a tagged release never change. */
const isWritten =
  process.env.TEST_UPDATE_FIXTURES === '1' &&
  execFileSync('git', ['tag', '--list', `v${thisRelease}.*`], { encoding: 'utf8' }) === ''

/** A release is written again only if the schema has changed, because its ids and times differ each time. */
const all = shared(async (t) => {
  if (isWritten) {
    const isCurrent = (await releases()).includes(thisRelease) && (await versionOf(thisRelease)) === codeVersion
    if (testBackend === 'sqlite' && !isCurrent) await makeRelease(t)
    const db = await anotherConnection(t, await emptyDirectory(t))
    await write('steps.txt', await describeSteps())
    await write(`schema.${testBackend}.sql`, statementsOf(db, codeVersion))
  }
  return releases()
})

async function versionOf(release: string): Promise<number> {
  return Number((await rowsOf(release)).settings.version)
}

/** A database as a release created it, without rows. */
async function createdBy(t: ExecutionContext, release: string): Promise<{ db: Database; dataDir: string }> {
  const dataDir = await emptyDirectory(t)
  const db = await anotherConnection(t, dataDir)
  await makeReleasedSchema(db, release)
  return { db, dataDir }
}

/** These tables, without the tables and columns that this version no longer has. */
async function stillThere(tables: Tables): Promise<Tables> {
  const shapes = await listTables()
  const kept = shapes.filter(({ name }) => name in tables)
  return Object.fromEntries(
    kept.map(({ name, columns }) => {
      const names = new Set(columns.map((column) => column.name))
      const cut = (row: Row) => Object.fromEntries(Object.entries(row).filter(([column]) => names.has(column)))
      return [name, (tables[name] ?? []).map(cut).sort(byText)]
    }),
  )
}

type Tables = Record<string, Row[]>

test('this release has a database with its schema, with rows in every table', async (t) => {
  t.true(all().includes(thisRelease), remedy)
  t.is(await versionOf(thisRelease), codeVersion, remedy)
  const { tables } = await rowsOf(thisRelease)
  const empty = (await listTables()).filter(({ name }) => (tables[name] ?? []).length === 0)
  // Only versions before 0.3 write this table.
  t.deepEqual(
    empty.map(({ name }) => name).filter((name) => name !== 'event_counts'),
    [],
  )
  const missing = Object.entries(tables).flatMap(([table, rows]) =>
    Object.keys(rows[0] ?? {})
      .filter((column) => rows.every((row) => row[column] === null))
      .map((column) => `${table}.${column}`),
  )
  // No code writes the first column yet. The others have values only while an emitted event waits, and while a job runs.
  t.deepEqual(
    missing.filter((column) => !['events.attachments', 'outbox.webhook_ids', 'leases.owner'].includes(column)),
    [],
  )
})

test('the steps of a release are unchanged', async (t) => {
  const db = await anotherConnection(t, await emptyDirectory(t))
  const files = (await describeSteps()).split('\n')
  const instead =
    'A released step never changes, because databases have run it. Write a next step that corrects this one ' +
    '(docs/design/storage.md). Where only its form has changed, write its new hash into steps.txt by hand.'
  for (const release of all()) {
    const folder = join(releasesFolder, release)
    const advice = release === thisRelease ? remedy : instead
    const statements = await readFile(join(folder, `schema.${testBackend}.sql`), 'utf8')
    t.is(statementsOf(db, await versionOf(release)), statements, advice)
    const steps = (await readFile(join(folder, 'steps.txt'), 'utf8')).trimEnd().split('\n')
    t.deepEqual(
      steps.filter((line) => !files.includes(line)),
      [],
      advice,
    )
  }
})

test('releases follow each other by version', (t) => {
  t.deepEqual(['1.0', '0.10', '0.2', '10.0', '1.2'].toSorted(byVersion), ['0.2', '0.10', '1.0', '1.2', '10.0'])
})

test('services of the last release run on this schema: it accepts their rows and has all of their columns', async (t) => {
  const release = all().findLast((name) => name !== thisRelease) ?? thisRelease
  const { db } = await testDatabase(t)
  const { tables } = await rowsOf(release)
  await insertReleased(db, tables)
  t.deepEqual(await readReleased(db, tables), sorted(tables))
  t.true((migrations.at(-1)?.compatibleFrom ?? 0) <= (await versionOf(release)))
})

const sorted = (tables: Tables): Tables =>
  Object.fromEntries(Object.entries(tables).map(([name, rows]) => [name, rows.toSorted(byText)]))

test('the largest and strangest values of every column of a release are present after an upgrade', async (t) => {
  for (const release of all()) {
    const { db } = await createdBy(t, release)
    const examples = Object.fromEntries((await tablesOf(release)).map((table) => [table.name, exampleRows(table, 2)]))
    await insertReleased(db, examples)
    await migrate(db)
    const kept = await stillThere(examples)
    t.deepEqual(await readReleased(db, kept), kept)
  }
})

test('the data of a release is complete after an upgrade, and listd continues with it', async (t) => {
  const nats = await testNats(t)
  for (const release of all()) {
    const { db, dataDir } = await createdBy(t, release)
    const { tables } = await rowsOf(release)
    await insertReleased(db, tables)
    const { from, to } = await migrate(db)
    t.deepEqual([from, to], [await versionOf(release), codeVersion])
    await matchesFixture(t, `schema/${testBackend}.txt`, await dumpSchema(db))
    const kept = await stillThere(tables)
    t.deepEqual(await readReleased(db, kept), kept)
    const known = await knowledgeOf(release)
    const sealer = openSealer(known.masterKey)
    t.deepEqual((await checkMasterKey(db, sealer)).missing, [])
    for (const { id, account_id, secret } of tables.webhooks ?? []) {
      const binding = webhookSecretBinding({ accountId: String(account_id), webhookId: String(id) })
      t.is(sealer.open(String(secret), binding), known.secrets[String(id)] ?? '')
    }
    await shouldContinue(t, { release, known, dataDir, natsUrl: nats.url })
  }
})

type Upgraded = { release: string; known: ReleasedKnowledge; dataDir: string; natsUrl: string }

async function shouldContinue(t: ExecutionContext, { release, known, dataDir, natsUrl }: Upgraded): Promise<void> {
  const env = {
    ...databaseSettings(dataDir),
    LISTD_DATA_DIR: dataDir,
    LISTD_SECRETS_MASTER_KEY: known.masterKey,
    // Each release is a separate installation, and all of them run until the test ends.
    LISTD_NATS_PREFIX: `test-${release.replace('.', '-')}`,
  }
  const { port, deps } = await startGateway(t, { routes, natsUrl, env })
  const { config } = deps
  const { log } = testLog(t, 'identity')
  const service = await serveIdentities({ config, log, instance: 'test', replaces: [], reloadConfig: () => config })
  t.teardown(service.close)
  await until(() => answers(deps.bus), { what: 'the identity service to answer' })
  const apiOf = (headers: Record<string, string>) => createApi(() => `http://127.0.0.1:${port}`, headers)
  await answersAsBefore(t, release, apiOf({ authorization: `Bearer ${known.session}` }))

  const { token, identity, user, replay } = known
  const api = apiOf({ 'x-api-token': token })
  t.is((await api('GET', '/tokens/self')).status, 200)
  const self = await apiOf({ 'x-api-token': token, 'x-identity-token': identity.token })('GET', '/identities/self')
  t.like(self.json, { name: identity.name })
  const { name, password } = identity
  t.is((await api('POST', '/identities/login', { body: { name, password } })).status, 200)
  t.is((await api('POST', '/auth/login', { body: user })).status, 200)
  const again = { text: replay.body, headers: { 'idempotency-key': replay.key } }
  t.like(await api('POST', '/lists/recipes/items', again), { status: 201, json: { id: replay.itemId } })
  t.is((await api('GET', '/lists/recipes/items/Once')).json.id, replay.itemId)
  const created = await api('POST', '/lists/recipes/items', { body: { data: { title: 'Afterwards', minutes: 2 } } })
  t.is(created.status, 201, created.text)
}

/** Asserts every answer of the release; later versions may add fields. */
async function answersAsBefore(t: ExecutionContext, release: string, user: Api): Promise<void> {
  if (release === thisRelease && isWritten && testBackend === 'sqlite')
    await write('answers.json', await recordAnswers(user, await rowsOf(release)))
  for (const [path, expected] of Object.entries(await answersOf(release))) {
    const answer = await user('GET', path)
    t.is(answer.status, 200, `${path}: ${answer.text}`)
    t.like(answer.json, expected as object, path)
  }
}
