import { useEffect, useMemo, useState } from 'preact/hooks'
import type { ListdError } from '#client/src/error.ts'
import type { List } from '#client/src/types/resources.ts'
import { compact } from '#shared/json/text/layout.ts'
import { client } from '../../api/client.ts'
import { useRunning } from '../../forms/use-saving.ts'
import { listKey } from '../lists/list-page.tsx'
import { type SchemaError, schemaErrors } from './schema-errors.ts'
import { sentSchema, syntaxErrors, validateSchema } from './validate-schema.ts'

/** The edited text, its errors, and the functions that save and discard it. */
export type SchemaDraft = {
  text: string
  edit(text: string): void
  isChanged: boolean
  /** The number of changed fields, as in a form: 0 or 1. */
  changed: number
  isJson: boolean
  errors: readonly SchemaError[]
  busy: boolean
  /** Why the last save failed. */
  failure: ListdError | undefined
  /** The warnings of the last save. */
  warnings: readonly string[]
  save(): void
  discard(): void
}

/** Wait after the last key before the text is validated. */
const pauseMs = 500

/** @param stored the list's schema, laid out; empty: it has none */
export function useSchemaDraft(name: string, list: List, stored: string): SchemaDraft {
  const [edited, setEdited] = useState<string | null>(null)
  const [failure, setFailure] = useState<ListdError>()
  const [warnings, setWarnings] = useState<readonly string[]>([])
  const text = edited ?? stored
  const isChanged = !isSameSchema(text, stored)
  const isJson = useMemo(() => text.trim() === '' || syntaxErrors(text).length === 0, [text])
  const { errors, setErrors } = useErrors(list, text, isChanged)
  // A text that the list has now is no longer a draft.
  useEffect(() => setEdited((draft) => (draft !== null && isSameSchema(draft, stored) ? null : draft)), [stored])
  const discard = () => {
    setEdited(null)
    setFailure(undefined)
  }
  const { busy, run } = useRunning((error) => {
    const found = schemaErrors(text, error.details?.errors ?? [], 'schema')
    setErrors(found)
    setFailure(found.length > 0 ? undefined : error)
  })
  const write = async () => {
    const written = await client.lists.update(list.id, { schema: sentSchema(text) })
    setWarnings(written.warnings ?? [])
    setFailure(undefined)
  }
  const save = () => {
    if (isChanged && isJson) run(write, { said: 'The schema was saved.', stale: [listKey(name), 'lists'] })
  }
  const changed = isChanged ? 1 : 0
  return { text, edit: setEdited, isChanged, changed, isJson, errors, busy, failure, warnings, save, discard }
}

/** Whether two texts differ at most in their layout. */
export const isSameSchema = (one: string, other: string) => compact(one) === compact(other)

/** The errors of the text, validated when the user stops typing. */
function useErrors(list: List, text: string, isChanged: boolean) {
  const [errors, setErrors] = useState<readonly SchemaError[]>([])
  useEffect(() => {
    if (!isChanged) return setErrors([])
    const ending = new AbortController()
    const timer = setTimeout(async () => {
      const found = await validateSchema(list, text, ending.signal)
      if (found !== null && !ending.signal.aborted) setErrors(found)
    }, pauseMs)
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [list.id, text, isChanged])
  return { errors, setErrors }
}
