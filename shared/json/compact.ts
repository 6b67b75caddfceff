/** Valid JSON without the white space outside its strings; every other character stays. Where there is no `Buffer`. */
export function compactText(text: string): string {
  let inString = false
  return text.replace(tokens, (found) => {
    if (found === '"') inString = !inString
    return inString || !isSpace.test(found) ? found : ''
  })
}

/** Where strings begin and end, what may stand before a quote in one, and white space. */
const tokens = /"|\\.|[ \t\n\r]+/g
const isSpace = /^[ \t\n\r]/
