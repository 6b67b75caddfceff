import { pick, randomJson } from '../load/random-json.ts'
import { documentOf } from './documents.ts'

/** A document in which one value was replaced. */
export function mutatedDocument(random: () => number): string {
  const nodes = [
    { id: 'a', type: 'update-item', list: 'l', item: 'input.id', patch: '[]', each: 'input.all' },
    { id: 'b', type: 'switch', cases: [{ when: 'true', port: 'p' }] },
    { id: 'c', type: 'respond', headers: { 'x-a': '"1"' } },
  ]
  const document = documentOf({
    nodes,
    edges: [
      ['a', 'b'],
      ['b', 'c', 'p'],
    ],
    helpers: 'let x = 1;',
    layout: {},
  })
  const places: [Record<string, unknown>, string][] = []
  const collect = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    for (const [key, inner] of Object.entries(value)) {
      places.push([value as Record<string, unknown>, key])
      collect(inner)
    }
  }
  collect(document)
  const [holder, key] = pick(random, places as [(typeof places)[0]])
  const mark = '@@'
  holder[random() < 0.7 ? key : pick(random, ['id', 'type', '__proto__', 'each', 'status'])] = mark
  return JSON.stringify(document, null, random() < 0.5 ? 2 : 0).replace(
    `"${mark}"`,
    () => randomJson(random, 3).written,
  )
}
