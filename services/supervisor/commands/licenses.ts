import { join } from 'node:path'
import { readIfExists } from '../private-file.ts'
import type { Terminal } from '../terminal/terminal.ts'

/** Present only where listd is shipped with its dependencies: in the image and the executable. */
const file = join(import.meta.dirname, '../../../licenses.txt')

/** `listd licenses`. @throws Error with a sentence when listd runs from its source, which ships without dependencies */
export async function printLicenses(terminal: Terminal): Promise<void> {
  const text = await readIfExists(file)
  if (text === null) {
    throw new Error('this is the source of listd: LICENSE is its license, and node_modules has those of the packages.')
  }
  terminal.stdout.write(text)
}
