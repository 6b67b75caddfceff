import { AnotherFile } from '#shared/domain/item-transfer/batches.ts'
import { UnreadableFile } from '#shared/domain/item-transfer/record.ts'
import { toListdError } from '../../api/errors.ts'
import { Note } from '../../parts/display/marks.tsx'
import { sentence } from '../../parts/display/text.tsx'
import { Problem } from '../../parts/problems/problem.tsx'

/** Why a file cannot be read or imported: an error of the file or of the server. */
export function FileProblem({ error }: { error: unknown }) {
  const isOfFile = error instanceof UnreadableFile || error instanceof AnotherFile
  if (!isOfFile) return <Problem error={toListdError(error)} />
  return (
    <Note tone="bad">
      <div role="alert">{sentence(error.message)}</div>
    </Note>
  )
}
