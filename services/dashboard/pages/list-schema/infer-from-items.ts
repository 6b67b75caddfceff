import { findAt } from '#shared/json/edit/at-pointer.ts'
import { compact, layOut } from '#shared/json/text/layout.ts'
import { eachElement } from '#shared/json/text/offsets.ts'
import { inferSchema } from '#shared/json-schema/infer/infer-schema.ts'
import { observeSamples } from '#shared/json-schema/infer/observe.ts'
import { client } from '../../api/client.ts'

/** Items that a schema is inferred from, at most. */
export const mostSamples = 100

/** A schema that the newest items of a list match, as text. @throws ListdError */
export async function inferFromItems(list: string): Promise<{ text: string; samples: number }> {
  const page = await client
    .list(list)
    .items({ order: 'createdAt', direction: 'desc', limit: mostSamples })
    .page(1)
    .text()
  const samples = dataOf(page)
  return { text: layOut(JSON.stringify(inferSchema(observeSamples(samples)))), samples: samples.length }
}

/** The data of a page's items, as they are written. */
function dataOf(page: string): string[] {
  const items = findAt(compact(page), '/data') ?? '[]'
  return [...eachElement(items, 0)].map(({ start, end }) => findAt(items.slice(start, end), '/data') ?? 'null')
}
