import { maxJsonDepth } from '#shared/domain/limits.ts'
import { type IndexProposal, proposeIndexes } from '#shared/domain/list/propose-indexes.ts'
import { inferSchema } from '#shared/json-schema/infer/infer-schema.ts'
import { observeSamples } from '#shared/json-schema/infer/observe.ts'
import { readSamples, type Samples } from '#shared/json-schema/infer/samples.ts'
import { proposeName } from './propose-name.ts'

/** The items of a pasted text, and the list proposed for them. */
export type Pasted = Samples & {
  name: string
  /** JSON text, laid out. */
  schema: string
  indexes: readonly IndexProposal[]
}

/** Why a text cannot be read, as a sentence, and the place. */
export type PasteError = { offset: number; message: string }

/** Largest text that is read. */
const maxPasted = { characters: 4_000_000, items: 10_000 }
const tooLong = 'You can paste at most 4 MB and 10,000 items. Paste a part, then import the rest into the list.'

/**
 * Reads a pasted text.
 * @param from the property whose elements are the items; null: the object itself is the item; undefined: the most likely choice
 * @returns null if there is no item yet
 */
export function readPasted(text: string, from: string | null | undefined): Pasted | PasteError | null {
  if (text.length > maxPasted.characters) return { offset: 0, message: tooLong }
  const samples = readSamples(text, { maxDepth: maxJsonDepth, from })
  if ('why' in samples) return { offset: samples.offset, message: `This is not valid JSON: ${samples.why}.` }
  const { items } = samples
  if (items.length === 0) return null
  if (items.length > maxPasted.items) return { offset: 0, message: tooLong }
  const observed = observeSamples(items)
  const indexes = proposeIndexes(observed)
  const schema = JSON.stringify(inferSchema(observed), null, 2)
  return { ...samples, name: proposeName(samples, observed), schema, indexes }
}
