import { useMemo } from 'preact/hooks'
import type { JsonObject } from '#client/src/types/resources.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'
import { inferSchema } from '#shared/json-schema/infer/infer-schema.ts'
import { observeSamples } from '#shared/json-schema/infer/observe.ts'
import { itemsKey } from '../../lists/list-items.ts'
import { asDescription, saysNothing } from '../form/rules/inferred-schema.ts'
import { readNewestSamples } from './newest-samples.ts'

/** The schema that a form is built from; `isBinding`: it is the list's schema, not one inferred from its items. */
export type Description = { schema: SchemaObject; isBinding: boolean }

/** Characters of an item's own data up to which the schema is also inferred from them. */
const longestSample = 200_000

/**
 * The schema of a list. If the list has none, or its schema does not describe the data, a schema inferred from the newest items and this
 * one.
 * @param own the data being edited, as compact text
 * @returns null while the items are being read
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
