import type { Terminal } from '../terminal/terminal.ts'
import { versionText } from '../version-text.ts'

/** `listd --version` */
export async function printVersion(terminal: Terminal): Promise<void> {
  terminal.stdout.write(`${await versionText()}\n`)
}
