import type { JsonObject } from '#client/src/types/resources.ts'

// What is kept is an object of any content: each reader takes what it understands, and its default for everything else.

/** The colours that a person chose; null: those of the system. */
export function schemeIn({ scheme }: JsonObject): 'light' | 'dark' | null {
  return scheme === 'light' || scheme === 'dark' ? scheme : null
}

/** Whether single keys do something. */
export function keysIn({ keys }: JsonObject): boolean {
  return keys !== false
}

/** How data of items are edited. */
export function dataViewIn({ dataView }: JsonObject): 'form' | 'text' {
  return dataView === 'text' ? 'text' : 'form'
}
