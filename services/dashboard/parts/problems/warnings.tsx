import type { DeleteOptions } from '#client/src/transport.ts'
import type { Deletion } from '#client/src/types/resources.ts'
import { useResource } from '../../api/resource.ts'
import { Note } from '../display/marks.tsx'
import { sentence } from '../display/text.tsx'
import { Problem } from './problem.tsx'

/** The warnings in the answer to a write: probable mistakes, and resources that depend on what was changed. */
export function Warnings({ warnings }: { warnings: readonly string[] }) {
  if (warnings.length === 0) return null
  return (
    <Note tone="warn">
      {warnings.map((warning) => (
        <p key={warning}>{sentence(warning)}</p>
      ))}
    </Note>
  )
}

type DeletionWarningsProps = {
  /** What would be deleted, in short. */
  of: string
  remove: (options: DeleteOptions) => Promise<Deletion | undefined>
}

/** The dependents of what is about to be deleted, read by a dry run of the deletion. */
export function DeletionWarnings({ of, remove }: DeletionWarningsProps) {
  const { data, error } = useResource(`deletion ${of}`, (signal) => remove({ dryRun: true, signal }), {
    keeps: () => false,
  })
  if (error) return <Problem error={error} />
  return <Warnings warnings={data?.warnings ?? []} />
}
