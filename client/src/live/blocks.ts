/** More than two heartbeats of the service. */
const silentMs = 40_000

/**
 * Reads blocks of server-sent events until the stream ends, breaks or is silent for too long, or the signal aborts. The caller continues
 * with another stream in every case.
 * @param onBlock called with each block; missing fields are empty
 */
export async function readBlocks(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  onBlock: (field: (name: string) => string) => void,
): Promise<void> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => {})
  signal.addEventListener('abort', cancel)
  const decoder = new TextDecoder()
  let text = ''
  while (!signal.aborted) {
    const timer = setTimeout(cancel, silentMs)
    // A broken connection counts as ended.
    const { value } = await reader.read().catch(() => ({ value: undefined }))
    clearTimeout(timer)
    if (!value) return
    const blocks = (text + decoder.decode(value, { stream: true })).split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) onBlock((name) => fieldOf(block, `${name}: `))
  }
}

function fieldOf(block: string, start: string): string {
  const lines = block.split('\n').filter((line) => line.startsWith(start))
  return lines.map((line) => line.slice(start.length)).join('\n')
}
