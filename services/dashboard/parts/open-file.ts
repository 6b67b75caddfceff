import { download } from './download.ts'

/** A file that is written piece by piece. */
export type OpenFile = {
  write(text: string): Promise<void> | void
  /** Completes the file. */
  close(): Promise<void>
  /** Discards the file. */
  abort(): Promise<void>
}

type Picker = (options: { suggestedName: string }) => Promise<{ createWritable(): Promise<WritableFile> }>
type WritableFile = { write(text: string): Promise<void>; close(): Promise<void>; abort(): Promise<void> }

/**
 * Opens a file for writing. If the browser can write files, the user is asked for its name. Otherwise the complete file is downloaded, and
 * until then the browser keeps its pieces outside the page's memory.
 * @returns null if the user cancels
 */
export async function openFile(name: string, type: string): Promise<OpenFile | null> {
  const picker = (globalThis as { showSaveFilePicker?: Picker }).showSaveFilePicker
  if (!picker) return openDownload(name, type)
  try {
    const file = await picker({ suggestedName: name })
    return await file.createWritable()
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') return null
    // A browser with a file picker may not allow it here.
    return openDownload(name, type)
  }
}

/** Characters that are buffered before they are written as a piece. */
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
