import type { JsonObject } from '#client/src/types/resources.ts'

// Stored preferences may have any content. Each reader uses what it understands, and its default otherwise.

/** The chosen color scheme; null: that of the system. */
export function schemeIn({ scheme }: JsonObject): 'light' | 'dark' | null {
  return scheme === 'light' || scheme === 'dark' ? scheme : null
}

/** Whether single-key shortcuts are on. */
export function keysIn({ keys }: JsonObject): boolean {
  return keys !== false
}

/** How item data is edited. */
export function dataViewIn({ dataView }: JsonObject): 'form' | 'text' {
  return dataView === 'text' ? 'text' : 'form'
}
