import { useEffect, useState } from 'preact/hooks'
import { type Pasted, type PasteError, readPasted } from './pasted.ts'

type Read = { pasted: Pasted | null; error: PasteError | null }

const nothing: Read = { pasted: null, error: null }
/** A long text takes some time to be read: not while somebody types. */
const waitMs = (text: string) => (text.length > 200_000 ? 600 : 150)

/** What is made of a text, once typing stops. While the text has a error, what was made of it last stays. */
export function usePasted(text: string, from: string | null | undefined): Read {
  const [read, setRead] = useState(nothing)
  useEffect(() => {
    const timer = setTimeout(() => {
      const found = readPasted(text, from)
      if (found === null) setRead(nothing)
      else setRead((before) => ('message' in found ? { ...before, error: found } : { pasted: found, error: null }))
    }, waitMs(text))
    return () => clearTimeout(timer)
  }, [text, from])
  return read
}
