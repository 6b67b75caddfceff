import { useMemo } from 'preact/hooks'
import { client } from '../../api/client.ts'
import { type FlowTexts, textsOf } from '../../api/flow-texts.ts'
import { useResource } from '../../api/resource.ts'
import { Button } from '../../parts/controls/button.tsx'
import { ComparedWith, comparedTo } from '../../parts/controls/compared-with.tsx'
import { Diff } from '../../parts/display/diff.tsx'
import { Loaded } from '../../parts/problems/problem.tsx'
import { flowChanges } from './flow-changes.ts'

type VersionDiffProps = {
  flow: string
  version: number
  /** All versions that are kept, newest first. */
  kept: readonly number[]
  /** Null: the version is the current one. */
  onRestore: ((texts: FlowTexts, version: number) => void) | null
}

/** The changes of a version of a flow, compared with the previous or any other version, and a button to restore it. */
export function VersionDiff({ flow, version, kept, onRestore }: VersionDiffProps) {
  const states = kept.map((one) => ({ id: String(one), label: `version ${one}` }))
  const at = kept.indexOf(version)
  const [previous, others] = [states[at + 1], states.toSpliced(at, 1)]
  const other = comparedTo(others, previous)?.id
  const texts = useResource(`flow ${flow} versions ${other} and ${version}`, async (signal) => {
    const read = async (one: number) => textsOf(await client.flowDefinitions.version(flow, one, { signal }).text())
    const [before, after] = await Promise.all([other === undefined ? null : read(Number(other)), read(version)])
    return { before, after }
  })
  return (
    <div class="stack">
      <h2>Version {version}</h2>
      <ComparedWith previous={previous} first="oldest" others={others} />
      <Loaded resource={texts}>
        {({ before, after }) => (
          <div class="stack">
            {onRestore && (
              <div>
                <Button icon="again" onPress={() => onRestore(after, version)}>
                  Put into editor
                </Button>
              </div>
            )}
            {before ? (
              <Changed before={before} after={after} />
            ) : (
              <p class="muted">No earlier version is kept to compare it with.</p>
            )}
          </div>
        )}
      </Loaded>
    </div>
  )
}

function Changed({ before, after }: { before: FlowTexts; after: FlowTexts }) {
  return <Diff changes={useMemo(() => flowChanges(before, after), [before, after])} />
}
