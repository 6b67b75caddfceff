import { useMemo } from 'preact/hooks'
import type { JsonObject } from '#client/src/types/resources.ts'
import { useResource } from '#services/dashboard/api/resource.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'
import { inferFromItems } from '../../list-schema/infer-from-items.ts'
import { itemsKey } from '../../lists/list-items.ts'
import { asDescription, saysNothing } from '../form/rules/inferred-schema.ts'

/** What a form is made of; `isBinding`: the list's schema, not only what its items look like. */
export type Description = { schema: SchemaObject; isBinding: boolean }

/**
 * The schema of a list, or where it says nothing of what is in its data, what its newest items look like.
 * @returns null: it is being read
 */
export function useDescription(list: string, schema: JsonObject | null): Description | null {
  const isInferred = schema === null || saysNothing(schema)
  const seen = useResource(isInferred ? `${itemsKey(list)}form` : null, () => inferFromItems(list), { stays: true })
  return useMemo(() => {
    if (!isInferred) return { schema, isBinding: true }
    if (seen.data) return { schema: asDescription(JSON.parse(seen.data.text)), isBinding: false }
    // Without items to look at, data may be anything.
    return seen.error ? { schema: {}, isBinding: false } : null
  }, [schema, isInferred, seen.data, seen.error])
}
