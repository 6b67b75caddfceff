import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import test from 'ava'

const folder = join(import.meta.dirname, '../../../services/dashboard')

/** Classes that a page styles and that others use without a change. */
const shared = new Set(['chip', 'drawing', 'settings', 'wraps'])

test('one stylesheet contains all: a class that a page styles by its name alone has no other meaning elsewhere', (t) => {
  const alone = new Map<string, string>()
  const uses = new Map<string, Set<string>>()
  for (const path of globSync('**/*.css', { cwd: folder })) {
    const text = readFileSync(join(folder, path), 'utf8').replace(/\/\*.*?\*\//gs, '')
    for (const [, selectors = ''] of text.matchAll(/([^{}]+)\{/g)) {
      for (const selector of selectors.split(',')) {
        const only = /^\.([\w-]+)$/.exec(selector.trim())?.[1]
        if (only && path.startsWith('pages/')) alone.set(only, path)
        for (const [, name = ''] of selector.matchAll(/\.([a-z][\w-]*)/g))
          uses.set(name, (uses.get(name) ?? new Set()).add(path))
      }
    }
  }
  const twice = [...alone].flatMap(([name, path]) => {
    const others = [...(uses.get(name) ?? [])].filter((other) => other !== path)
    return others.length === 0 || shared.has(name) ? [] : [`.${name} of ${basename(path)} is in ${others} too`]
  })
  t.deepEqual(twice, [])
})
