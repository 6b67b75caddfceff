import { useEffect, useState } from 'preact/hooks'
import { type Pasted, type PasteError, readPasted } from './pasted.ts'

type Read = { text: string; from: string | null | undefined; pasted: Pasted | null; error: PasteError | null }

const nothing: Read = { text: '', from: undefined, pasted: null, error: null }
/** Wait after the last key before a text is read: a long text takes some time. */
const waitMs = (text: string) => (text.length > 200_000 ? 600 : 150)

/**
 * Reads a text when the user stops typing. While the text has an error, the last result stays.
 * @returns `isCurrent`: the result is for the present text
 */
export function usePasted(text: string, from: string | null | undefined): Read & { isCurrent: boolean } {
  const [read, setRead] = useState(nothing)
  useEffect(() => {
    const timer = setTimeout(() => {
      const found = readPasted(text, from)
      const [pasted, error] = found !== null && 'message' in found ? [null, found] : [found, null]
      setRead((before) => ({ text, from, pasted: error ? before.pasted : pasted, error }))
    }, waitMs(text))
    return () => clearTimeout(timer)
  }, [text, from])
  return { ...read, isCurrent: read.text === text && read.from === from && read.error === null }
}
