import { useMemo } from 'preact/hooks'
import type { JsonObject } from '#client/src/types/resources.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'
import { inferSchema } from '#shared/json-schema/infer/infer-schema.ts'
import { observeSamples } from '#shared/json-schema/infer/observe.ts'
import { itemsKey } from '../../lists/list-items.ts'
import { asDescription, saysNothing } from '../form/rules/inferred-schema.ts'
import { readNewestSamples } from './newest-samples.ts'

/** What a form is built from; `isBinding`: the list's schema, not only what its items look like. */
export type Description = { schema: SchemaObject; isBinding: boolean }

/** Characters of an item's own data up to which its form is built from them, too. */
const longestSample = 200_000

/**
 * The schema of a list, or where it says nothing of what is in its data, what its newest items and this one look like.
 * @param own the data that are edited, as compact text
 * @returns null: it is being read
 */
export function useDescription(list: string, schema: JsonObject | null, own: string): Description | null {
  const isInferred = schema === null || saysNothing(schema)
  const seen = useResource(isInferred ? `${itemsKey(list)}form` : null, (signal) => readNewestSamples(list, signal), {
    stays: true,
  })
  return useMemo(() => {
    if (!isInferred) return { schema, isBinding: true }
    if (!seen.data && !seen.error) return null
    const samples = [...(seen.data ?? []), ...(own.length > longestSample ? [] : [own])]
    const inferred = inferSchema(observeSamples(samples.filter((sample) => sample !== 'null' && sample !== '{}')))
    return { schema: asDescription(inferred as SchemaObject), isBinding: false }
  }, [schema, isInferred, seen.data, seen.error, own])
}
