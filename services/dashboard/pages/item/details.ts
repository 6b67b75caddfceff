import type { ItemFields } from '#client/src/types/resources.ts'
import type { ItemText } from './item-text.ts'

/** The fields of the details form: an item without its data. Tags are separated by commas. */
export type Details = {
  description: string
  tags: string
  version: string
  readonly: boolean
  locked: boolean
  activated: boolean
}

export const flags = [
  {
    name: 'activated',
    label: 'Activated',
    help: 'When off, the item is a draft, hidden from API tokens that may not update it and identities that do not own it.',
  },
  {
    name: 'readonly',
    label: 'Readonly',
    help: 'The item cannot be changed, not even here, until you turn this off.',
  },
  {
    name: 'locked',
    label: 'Locked',
    help: 'API tokens cannot change it. Users of the dashboard can.',
  },
] as const

export function detailsOf(item: ItemText): Details {
  const { description, tags, version, readonly, locked, activated } = item
  return { description, tags: tags.join(', '), version, readonly, locked, activated }
}

/** The fields of the update that stores the changed details. */
export function changedDetails(item: ItemText, details: Details): ItemFields<never> & { locked?: boolean } {
  const before = detailsOf(item)
  const changed = Object.entries(details).filter(([name, value]) => before[name as keyof Details] !== value)
  const fields = Object.fromEntries(changed)
  return 'tags' in fields ? { ...fields, tags: tagsOf(details.tags) } : fields
}

function tagsOf(text: string): string[] {
  return text.split(',').flatMap((tag) => tag.trim() || [])
}
