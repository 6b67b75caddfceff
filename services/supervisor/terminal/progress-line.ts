import type { Terminal } from './terminal.ts'

/** One line on standard error that the next text overwrites; nothing if standard error is not a terminal. */
export function createProgressLine({ stderr }: Terminal) {
  function show(text: string): void {
    if (stderr.isTTY) stderr.write(`\r\x1b[K${text}`)
  }
  return { show, clear: () => show('') }
}
