import { readFileSync } from 'node:fs'
import test from 'ava'
import { entries } from '#shared/config/entries.ts'
import { envName, fileEnvName } from '#shared/config/sources/env-name.ts'
import { logEvents } from '#shared/log/events.ts'

const root = new URL('../../../', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, root), 'utf8')
const page = read('docs/operating.md')
const quoted = (form: RegExp) => [...page.matchAll(form)].map(([, name = '']) => name)

test('docs/operating.md names events that are logged and settings that exist', (t) => {
  const keys = entries.map(({ key }) => key)
  const variables = [...keys.map(envName), ...keys.map(fileEnvName)]
  const dotted = quoted(/`([a-z_]+\.[a-zA-Z_]+)`/g)
  t.true(dotted.length > 20)
  for (const name of dotted) t.true(keys.includes(name) || name in logEvents, name)
  const outside = ['LISTD_LISTEN', 'LISTD_UNPACK_DIR']
  for (const name of quoted(/`?\b(LISTD_[A-Z_]+)\b/g)) t.true([...variables, ...outside].includes(name), name)
})

test('docs/operating.md has a section for each alert of the chart', (t) => {
  const alerts = read('deploy/helm/listd/templates/monitoring.yaml').matchAll(/- alert: (\w+)/g)
  t.deepEqual(
    quoted(/^#### (Listd\w+)$/gm),
    [...alerts].map(([, name = '']) => name),
  )
})
