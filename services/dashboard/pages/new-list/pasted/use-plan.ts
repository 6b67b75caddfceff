import { useState } from 'preact/hooks'
import type { IndexProposal } from '#shared/domain/list/propose-indexes.ts'
import type { ListDraft } from '../list-draft.ts'
import { type Names, useNames } from '../list-fields.tsx'
import type { Pasted } from './pasted.ts'

/** The list to create from pasted items: the proposal with the user's changes. */
export type Plan = {
  names: Names
  schema: string
  /** The user has edited the schema, so it no longer follows the items. */
  isSchemaTyped: boolean
  setSchema(schema: string | undefined): void
  hasSchema: boolean
  setHasSchema(has: boolean): void
  indexes: readonly IndexProposal[]
  isOn(index: IndexProposal): boolean
  switchIndex(index: IndexProposal, on: boolean): void
  addsItems: boolean
  setAddsItems(adds: boolean): void
  draft: ListDraft
  canMake: boolean
}

/** @param list the path name of the list once it is created */
export function usePlan(pasted: Pasted | null, list: string | null): Plan {
  const names = useNames(pasted?.name ?? '', list)
  const [typedSchema, setSchema] = useState<string>()
  const [hasSchema, setHasSchema] = useState(true)
  const [off, setOff] = useState<ReadonlySet<string>>(new Set())
  const [addsItems, setAddsItems] = useState(true)
  const schema = typedSchema ?? pasted?.schema ?? ''
  const indexes = pasted?.indexes ?? []
  const isOn = ({ fields }: IndexProposal) => !off.has(fields.pointer)
  const { name, pathName, problem } = names
  const draft = { name, pathName, description: '', schema: hasSchema ? schema : null, indexes: indexes.filter(isOn) }
  return {
    names,
    schema,
    isSchemaTyped: typedSchema !== undefined,
    setSchema,
    hasSchema,
    setHasSchema,
    indexes,
    isOn,
    switchIndex: ({ fields: { pointer } }, on) => {
      const rest = [...off].filter((one) => one !== pointer)
      setOff(new Set(on ? rest : [...rest, pointer]))
    },
    addsItems,
    setAddsItems,
    draft,
    canMake: pasted !== null && pathName !== '' && problem === undefined && (!hasSchema || isJson(schema)),
  }
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
