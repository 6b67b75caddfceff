import type { FieldError } from '../errors.ts'
import { lengths, maxErrors, maxTags } from './limits.ts'

/** One tag, also as a JSON Schema `pattern` (specification, Tags). */
export const tagPattern = `^[A-Za-z0-9_-]{1,${lengths.tag}}$`
const tag = new RegExp(tagPattern)

/**
 * Every error in a list of tags as it was sent: its type, its count, and each tag by its position.
 * @param path of the list, dotted: `lists.recipes.tags`
 */
export function tagErrors(value: unknown, path: string): FieldError[] {
  if (!Array.isArray(value)) return [{ path, message: 'must be an array of tags' }]
  const tooMany = value.length > maxTags ? [{ path, message: `must have at most ${maxTags} tags` }] : []
  const invalid = value
    .slice(0, maxErrors)
    .flatMap((entry, position) =>
      typeof entry === 'string' && isTag(entry) ? [] : [{ path: `${path}.${position}`, message: invalidTag }],
    )
  return [...tooMany, ...invalid]
}

const invalidTag = `must be 1 to ${lengths.tag} letters, digits, hyphens or underscores`

/** Whether a text can be a tag, as it is sent. */
export function isTag(text: string): boolean {
  return tag.test(text)
}

/**
 * Parses a filter on tags, separated by commas (contract 1.4), to tags as they are stored. Empty entries are left out.
 * @returns the filter, or its error
 */
export function readTagFilter(source: string): string[] | { error: string } {
  const parts = source.split(',').map((part) => part.trim())
  const tags = parts.filter((part) => part !== '')
  if (!tags.every(isTag)) return { error: `must name tags; each ${invalidTag}` }
  const stored = foldTags(tags)
  return stored.length > maxTags ? { error: `must name at most ${maxTags} tags at once` } : stored
}

/** Tags as they are stored: lower-case, without duplicates, in order of first occurrence. */
export function foldTags(tags: readonly string[]): string[] {
  return [...new Set(tags.map((entry) => entry.toLowerCase()))]
}

/** Whether two lists have the same stored tags, in any order. */
export function sameTags(left: readonly string[], right: readonly string[]): boolean {
  if (left.length === right.length && left.every((entry, n) => entry === right[n])) return true
  const known = new Set(left)
  return known.size === new Set(right).size && right.every((entry) => known.has(entry))
}
