import { stringEnd } from '#shared/json/text/offsets.ts'

/** The context of an offset in JSON that is being typed: the starts of the open objects and arrays, and the string around it. */
export type OpenPlace = { open: readonly number[]; string: number | null }

export function openAt(text: string, at: number): OpenPlace {
  const open: number[] = []
  for (let i = 0; i < at; i++) {
    const char = text[i]
    if (char === '"') {
      const end = stringEnd(text, i)
      if (end > at || text[end - 1] !== '"') return { open, string: i }
      i = end - 1
    } else if (char === '{' || char === '[') open.push(i)
    else if (char === '}' || char === ']') open.pop()
  }
  return { open, string: null }
}

/** The string members of an object, as far as they can be read. @param from its offset */
export function textMembers(text: string, from: number): ReadonlyMap<string, string> {
  const members = new Map<string, string>()
  let depth = 0
  let key: string | null = null
  for (let i = from; i < text.length; i++) {
    const char = text[i]
    if (char === '"') {
      const end = stringEnd(text, i)
      const string = text.slice(i + 1, end - 1)
      if (depth === 1 && /^\s*:/.test(text.slice(end, end + 20))) key = string
      else if (depth === 1 && key !== null) members.set(key, string)
      i = end - 1
    } else if (char === '{' || char === '[') depth++
    else if (char === ',' && depth === 1) key = null
    else if ((char === '}' || char === ']') && --depth === 0) break
  }
  return members
}

/** The ids of the nodes of a document, as far as they can be read. */
export function nodeIdsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/"id"\s*:\s*"([A-Za-z_]\w*)"/g)].map(([, id = '']) => id))]
}

/** The names that the helpers of a document declare. */
export function helperNamesIn(text: string): string[] {
  const [, helpers = ''] = /"helpers"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text) ?? []
  return [...helpers.matchAll(/\b(?:let|function)\s+([A-Za-z_]\w*)/g)].map(([, name = '']) => name)
}
