import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { listTables } from '#shared/data/copy/tables.ts'
import type { Database, Row } from '#shared/data/database.ts'
import { useSetupToken } from '#shared/data/users/setup-tokens.ts'
import type { Api } from '../http/api.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { type ReleasedRows, releasesFolder, thisRelease } from './release.ts'
import { useListd } from './use-listd.ts'

/** 2100-01-01: everything with an end must still be valid when a later version reads it. */
const far = 4_102_444_800_000

/** Writes what this tree's release leaves: the rows of a listd that was used and killed (`rows.json`), and what its users know (`known.json`). */
export async function makeRelease(t: Teardown): Promise<void> {
  const { db, known } = await useListd(t)
  const setup = await db.get<{ token_hash: string }>('select token_hash from one_time_tokens')
  await useSetupToken(db, { hash: setup?.token_hash ?? '', now: await db.now() })
  for (const table of ['sessions', 'idempotency_keys', 'one_time_tokens', 'identity_one_time_tokens'])
    await db.run(db.build(table).update({ expires_at: far }))
  await db.run(db.build('webhooks').whereNotNull('previous_secret').update({ previous_secret_until: far }))
  await write('rows.json', printRows(await readRows(db)))
  await write('known.json', `${JSON.stringify(known, null, 2)}\n`)
}

/** Writes a file of this tree's release. */
export async function write(file: string, text: string): Promise<void> {
  await mkdir(join(releasesFolder, thisRelease), { recursive: true })
  await writeFile(join(releasesFolder, thisRelease, file), text)
}

/** The API's answers to the user of the release about every resource, as text, so that numbers stay unchanged. */
export async function recordAnswers(user: Api, { tables }: ReleasedRows): Promise<string> {
  const ids = (table: string) => (tables[table] ?? []).map(({ id }) => String(id))
  const kinds = new Map((tables.deliveries ?? []).map((row) => [`${row.event} ${row.status} ${row.webhook_id}`, row]))
  const hooks = ids('webhooks').map((id) => `/webhooks/${id}`)
  const paths = [
    '/lists',
    '/lists/notes',
    '/lists/recipes/items',
    '/lists/recipes/items?order=rank',
    '/lists/notes/items',
    '/lists/recipes/items/Once',
    '/lists/recipes/indexes',
    '/lists/recipes/items?rank=1',
    '/auth/self',
    '/auth/self/preferences',
    '/auth/self/sessions',
    '/tokens',
    '/identities',
    '/identity-groups',
    '/webhooks',
    '/events',
    '/lists/recipes/events',
    '/sync-schema',
    ...hooks,
    ...hooks.map((hook) => `${hook}/deliveries`),
    ...[...kinds.values()].map(({ id, webhook_id }) => `/webhooks/${webhook_id}/deliveries/${id}`),
  ]
  const answers = paths.map(async (path) => `${JSON.stringify(path)}: ${(await user('GET', path)).text}`)
  return `{\n${(await Promise.all(answers)).join(',\n')}\n}\n`
}

async function readRows(db: Database): Promise<ReleasedRows> {
  const settings = await db.all<{ name: string; value: string }>('select name, value from settings order by name')
  const tables: Record<string, Row[]> = {}
  for (const { name, columns, key } of await listTables()) {
    const query = db
      .build(name)
      .select(columns.map((column) => column.name))
      .orderBy([...key])
    tables[name] = (await db.all(query)).map((row) => ({ ...row }))
  }
  return { settings: Object.fromEntries(settings.map(({ name, value }) => [name, value])), tables }
}

/** One row per line. */
function printRows({ settings, tables }: ReleasedRows): string {
  const printed = Object.entries(tables).map(
    ([name, rows]) => `${JSON.stringify(name)}: [\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`,
  )
  return `{"settings": ${JSON.stringify(settings)},\n"tables": {\n${printed.join(',\n')}\n}}\n`
}

const migrationsFolder = join(import.meta.dirname, '../../../shared/data/migrations')

/** The files of the steps, with a hash of each. */
export async function describeSteps(): Promise<string> {
  const names = (await readdir(migrationsFolder)).filter((name) => /^\d/.test(name)).sort()
  const lines = names.map(async (name) => {
    const text = await readFile(join(migrationsFolder, name), 'utf8')
    return `${createHash('sha256').update(text).digest('hex')} ${name}\n`
  })
  return (await Promise.all(lines)).join('')
}
