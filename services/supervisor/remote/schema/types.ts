import { listTypes, type TypedDocument } from '#shared/domain/schema/list-types.ts'
import type { Terminal } from '../../terminal/terminal.ts'
import { getValidDocument } from '../check.ts'
import { exportedDocument } from './pull.ts'

/**
 * `listd types`: TypeScript types of the lists of a document, without a server, or of the server's lists.
 * @throws Error for a document that does not match the format
 */
export async function typesCommand(
  terminal: Terminal,
  file: string | undefined,
  options: { scope?: string },
): Promise<void> {
  if (file !== undefined && options.scope !== undefined) throw new Error('specify a file or --scope, not both.')
  const document = file === undefined ? await exportedDocument(terminal, options) : await getValidDocument(file)
  terminal.stdout.write(listTypes(document as TypedDocument))
}
