import { readFileSync } from 'node:fs'
import test from 'ava'
import { entries } from '#shared/config/entries.ts'
import { envName } from '#shared/config/sources/env-name.ts'

const root = new URL('../../../', import.meta.url)
const defaults: unknown = JSON.parse(readFileSync(new URL('config/default.json', root), 'utf8'))

/** The table that docs/configuration.md must contain: a line for each setting, in the order of the schema. */
function expectedTable(): string[] {
  return entries.map(({ key, setting }) => {
    const name = `\`${key}\`<br>\`${envName(key)}\`${setting.secret ? ' or `…_FILE`' : ''}`
    const text = key === 'plans' ? 'see the file' : `\`${JSON.stringify(valueAt(key))}\``
    return `| ${name} | ${text} | ${setting.about} Must be ${setting.rule.must}. |`
  })
}

function valueAt(key: string): unknown {
  return key.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown>)[name], defaults)
}

test('docs/configuration.md describes every setting with its variable, default and rule', (t) => {
  const lines = readFileSync(new URL('docs/configuration.md', root), 'utf8').split('\n')
  t.deepEqual(
    lines.filter((line) => line.startsWith('| `')),
    expectedTable(),
  )
})
