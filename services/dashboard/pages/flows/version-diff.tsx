import { useMemo } from 'preact/hooks'
import { here, navigate } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Button } from '../../parts/button.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Choice } from '../../parts/field.tsx'
import { Loaded } from '../../parts/problem.tsx'
import { flowChanges } from './flow-changes.ts'
import { type FlowTexts, textsOf } from './flow-texts.ts'

type VersionDiffProps = {
  flow: string
  version: number
  /** All versions that are kept, newest first. */
  kept: readonly number[]
  /** Null: the version is the present one. */
  onRestore: ((texts: FlowTexts, version: number) => void) | null
}

/** What a version of a flow changed, against the one before or any other, and the way back to it. */
export function VersionDiff({ flow, version, kept, onRestore }: VersionDiffProps) {
  const previous = kept[kept.indexOf(version) + 1]
  const others = kept.filter((one) => one !== version)
  const wanted = here.value.query.get('with') ?? ''
  const other = others.find((one) => String(one) === wanted) ?? previous
  const texts = useResource(`flow ${flow} versions ${other} and ${version}`, async (signal) => {
    const read = async (one: number) => textsOf(await client.flowDefinitions.version(flow, one, { signal }).text())
    const [before, after] = await Promise.all([other === undefined ? null : read(other), read(version)])
    return { before, after }
  })
  const choose = (value: string) => navigate(withQuery(here.value, { with: value || null }), { replace: true })
  return (
    <div class="stack">
      <h2>Version {version}</h2>
      {others.length > 0 && (
        <Choice
          label="Compared with"
          value={wanted}
          onValue={choose}
          choices={[
            { value: '', label: previous ? `the one before: version ${previous}` : 'nothing: it is the oldest' },
            ...others.map((one) => ({ value: String(one), label: `version ${one}` })),
          ]}
        />
      )}
      <Loaded resource={texts}>
        {({ before, after }) => (
          <div class="stack">
            {onRestore && (
              <div>
                <Button icon="again" onPress={() => onRestore(after, version)}>
                  Put into the editor
                </Button>
              </div>
            )}
            {before && <Changed before={before} after={after} />}
          </div>
        )}
      </Loaded>
    </div>
  )
}

function Changed({ before, after }: { before: FlowTexts; after: FlowTexts }) {
  return <Diff changes={useMemo(() => flowChanges(before, after), [before, after])} />
}
