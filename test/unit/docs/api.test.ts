import { readFileSync } from 'node:fs'
import test from 'ava'
import { apiRoutes } from '#services/gateway/resources/index.ts'
import { withoutEffect } from '#shared/domain/without-effect.ts'

const text = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')

/** Every call on the page; a method without a path, as in `GET /lists` · `POST`, has the path of the call before it. */
function calls(): string[] {
  return [...text.matchAll(/`([A-Z]+) (\/[^\s`]*)`((?: · `[A-Z]+`)*)/g)].flatMap(([, method, path, others = '']) =>
    [method, ...(others.match(/[A-Z]+/g) ?? [])].map((one) => `${one} ${toRoutePath(path)}`),
  )
}

/** The path of the route: a parameter for the rest of a path has a `*`, and a pointer may be optional. */
const toRoutePath = (path = '') =>
  path.replace(/\[?\/\{pointer\}\]?/, '/{pointer*}').replace('/flows/{path}', '/flows/{path*}')

/** Calls outside the API, on the port for operators. */
const elsewhere = ['GET /metrics']

test('docs/api.md names every route of the API, and no other', (t) => {
  const named = new Set(calls().filter((call) => !elsewhere.includes(call)))
  t.deepEqual([...named].sort(), apiRoutes.map(({ method, path }) => `${method} ${path}`).sort())
})

test('docs/api.md says for everything without effect, and for nothing else, that it has no effect yet', (t) => {
  const sentences = text.replaceAll(/\s+/g, ' ').split(/(?<=\.) (?:- )?/)
  const marked = sentences.flatMap((sentence, n) => {
    if (!/have no effect yet\.$|has no effect yet\.$/.test(sentence)) return []
    const subject = /^(?:It has|They have) /.test(sentence) ? sentences[n - 1] : sentence
    return [...(subject ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name)
  })
  t.deepEqual(marked.sort(), Object.values(withoutEffect).flat().sort())
})
