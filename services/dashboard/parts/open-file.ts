import { download } from './download.ts'

/** A file that is written piece by piece. */
export type OpenFile = {
  write(text: string): Promise<void> | void
  /** The reader has it now. */
  close(): Promise<void>
  /** It is given up. */
  abort(): Promise<void>
}

type Picker = (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<WritableFile> }>
type WritableFile = { write(text: string): Promise<void>; close(): Promise<void>; abort(): Promise<void> }

/**
 * A file under a name that the reader is asked for, where the browser can write one; elsewhere a download once it is complete, whose
 * pieces the browser keeps out of the page's memory.
 * @returns null when the reader does not want it
 */
export async function openFile(name: string, type: string): Promise<OpenFile | null> {
  const picker = (globalThis as { showSaveFilePicker?: Picker }).showSaveFilePicker
  if (!picker) return openDownload(name, type)
  try {
    const file = await picker({ suggestedName: name })
    return await file.createWritable()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    // A browser that has the picker may not allow it here.
    return openDownload(name, type)
  }
}

/** Characters that are gathered before they become a piece. */
const pieceLength = 1_000_000

function openDownload(name: string, type: string): OpenFile {
  let pieces: Blob[] = []
  let text = ''
  const gather = () => {
    pieces.push(new Blob([text]))
    text = ''
  }
  return {
    write(more) {
      text += more
      if (text.length >= pieceLength) gather()
    },
    async close() {
      gather()
      download(new Blob(pieces), name, type)
    },
    async abort() {
      pieces = []
    },
  }
}
