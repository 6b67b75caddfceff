import type { DeleteOptions } from '#client/src/transport.ts'
import type { Deletion } from '#client/src/types/resources.ts'
import { useResource } from '../../api/resource.ts'
import { Note } from '../display/marks.tsx'
import { sentence } from '../display/text.tsx'
import { Problem } from './problem.tsx'

/** What an answer to a write says of what is hardly what was meant, and of who depends on what was changed. */
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
  /** What would be deleted, in a few words. */
  of: string
  remove: (options: DeleteOptions) => Promise<Deletion | undefined>
}

/** Who depends on what is about to be deleted, as a dry run of the deletion tells. */
export function DeletionWarnings({ of, remove }: DeletionWarningsProps) {
  const { data, error } = useResource(`deletion ${of}`, (signal) => remove({ dryRun: true, signal }), {
    keeps: () => false,
  })
  if (error) return <Problem error={error} />
  return <Warnings warnings={data?.warnings ?? []} />
}
