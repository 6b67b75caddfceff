import { stringEnd } from './offsets.ts'

// JSON text for people to read, made token by token: numbers, escapes and the order of keys stay as they are written.

/** Characters of a line within which an object or array of scalars is not broken. */
const lineWidth = 80
/** Levels that are indented: a long text whose every line begins with hundreds of spaces would be many times as long. */
const deepestIndent = { short: 200, long: 16 }
const longText = 64 * 1024

/**
 * The text with line breaks and two spaces for each level. An object or array of scalars that fits into a line stays in one,
 * unless it is the whole value. Linear in the text.
 * @param text valid JSON, however it is laid out
 */
export function layOut(text: string): string {
  const source = compact(text)
  const deepest = source.length > longText ? deepestIndent.long : deepestIndent.short
  const made: string[] = []
  let depth = 0
  let from = 0
  let lineFrom = 0
  const add = (end: number, between: string, next = end) => {
    made.push(source.slice(from, end), between)
    from = next
  }
  const breakLine = (end: number) => {
    add(end, `\n${'  '.repeat(Math.min(depth, deepest))}`)
    lineFrom = end
  }
  for (let i = 0; i < source.length; i++) {
    const char = source[i]
    if (char === '"') i = stringEnd(source, i) - 1
    else if (char === '{' || char === '[') {
      const end = endInLine(source, i, i === 0 ? 2 : lineWidth - 2 * depth - (i - lineFrom))
      if (end === null) {
        depth++
        breakLine(i + 1)
      } else {
        add(i, inLine(source.slice(i, end)), end)
        i = end - 1
      }
    } else if (char === '}' || char === ']') {
      depth--
      breakLine(i)
    } else if (char === ',') breakLine(i + 1)
    else if (char === ':') add(i + 1, ' ')
  }
  return made.join('') + source.slice(from)
}

/** The text without the white space outside of its strings. Of what `layOut` made it is the text that it was made of. */
export function compact(text: string): string {
  const kept: string[] = []
  let from = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === quote) i = stringEnd(text, i) - 1
    else if (isSpace(code)) {
      if (i > from) kept.push(text.slice(from, i))
      from = i + 1
    }
  }
  return from === 0 ? text : kept.join('') + text.slice(from)
}

/** White space of JSON, by its character code. */
export function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

const quote = 0x22

/** Where the container at `at` ends, if it is empty or holds scalars in so many characters; null: it is to be broken. */
function endInLine(source: string, at: number, room: number): number | null {
  for (let i = at + 1; i - at < room; i++) {
    const char = source[i]
    if (char === '"') i = stringEnd(source, i) - 1
    else if (char === '}' || char === ']') return i + 1
    else if (char === '{' || char === '[') {
      if (source[i + 1] !== '}' && source[i + 1] !== ']') return null
      i++
    }
  }
  return null
}

/** `{"a":1,"b":[]}` as `{ "a": 1, "b": [] }`. */
function inLine(container: string): string {
  if (container.length === 2) return container
  const made: string[] = []
  let from = 1
  for (let i = 1; i < container.length - 1; i++) {
    const char = container[i]
    if (char === '"') i = stringEnd(container, i) - 1
    else if (char === ',' || char === ':') {
      made.push(container.slice(from, i + 1), ' ')
      from = i + 1
    }
  }
  made.push(container.slice(from, -1))
  return container.startsWith('{') ? `{ ${made.join('')} }` : `[${made.join('')}]`
}
