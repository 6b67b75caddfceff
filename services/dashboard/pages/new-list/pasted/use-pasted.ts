import { useEffect, useState } from 'preact/hooks'
import { type Pasted, type PasteError, readPasted } from './pasted.ts'

type Read = { text: string; from: string | null | undefined; pasted: Pasted | null; error: PasteError | null }

const nothing: Read = { text: '', from: undefined, pasted: null, error: null }
/** A long text takes some time to be read: not while somebody types. */
const waitMs = (text: string) => (text.length > 200_000 ? 600 : 150)

/**
 * What is built from a text, once typing stops. While the text has an error, what was built from it last stays.
 * @returns `isCurrent`: it is built from the text as it is now
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
