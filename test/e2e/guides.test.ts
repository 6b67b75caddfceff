import { readdirSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { databaseSettings } from '../support/databases/database.ts'
import { type Step, stepsOf } from '../support/processes/guide.ts'
import { endAll, testListd } from '../support/processes/listd.ts'
import { testProcess } from '../support/processes/process.ts'
import { testFolder } from '../support/test-context/folder.ts'
import { shared } from '../support/test-context/shared.ts'

const root = join(import.meta.dirname, '../..')
const guides = readdirSync(join(root, 'docs/guides'))
const listd = shared((t) => testListd(t))

test('README links to every guide, and to none that is not there', async (t) => {
  const readme = await readFile(join(root, 'README.md'), 'utf8')
  const linked = [...readme.matchAll(/\(docs\/guides\/([^)]+)\)/g)].map(([, name]) => name)
  t.deepEqual(linked.toSorted(), guides.toSorted())
})

for (const guide of guides) {
  test(`docs/guides/${guide} runs as it is written, and prints what it shows`, async (t) => {
    const steps = stepsOf(await readFile(join(root, 'docs/guides', guide), 'utf8'))
    t.true(steps.some(({ expected }) => expected !== null))
    const folder = await testFolder(t)
    t.teardown(() => endAll(join(folder, 'restored')))
    await prepare(folder)
    const env = { ...process.env, ...settings(), CURL_HOME: folder, PATH: `${folder}/scripts:${process.env.PATH}` }
    const text = script(steps).replaceAll('http://127.0.0.1:3000', listd().address)
    const shell = testProcess(t, ['bash', '-c', text], { cwd: folder, env })
    const { code } = await shell.ended
    t.is(code, 0, shell.stderr())
    for (const [n, { expected }] of steps.entries()) {
      if (expected !== null) t.is((await readFile(join(folder, `${n}.out`), 'utf8')).trimEnd(), expected.trimEnd())
    }
  })
}

/** A folder that looks to the shell like the project's. */
async function prepare(folder: string): Promise<void> {
  await mkdir(join(folder, 'scripts'))
  await writeFile(join(folder, 'scripts/listd'), `#!/bin/sh\nexec '${root}/scripts/listd' "$@"\n`, { mode: 0o755 })
  // On a busy machine a call that hashes is 503 until its turn comes: a reader would send it again.
  await writeFile(join(folder, '.curlrc'), 'retry = 60\nretry-max-time = 180\n')
}

/** With these the commands find the running listd's database. */
function settings(): Record<string, string> {
  const { dataDir } = listd()
  return { LISTD_DATA_DIR: dataDir, LISTD_PASSWORDS_MEMORY_MIB: '19', ...databaseSettings(dataDir) }
}

/** All steps in one shell, as a reader pastes them; what each prints is kept apart. */
function script(steps: readonly Step[]): string {
  return ['set -euo pipefail', ...steps.map(({ commands }, n) => `{\n${commands}} > ${n}.out`)].join('\n')
}
