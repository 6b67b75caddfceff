import type { FlowDefinition, FlowVersions as Versions } from '#client/src/types/flow-resources.ts'
import { here } from '../../address/location.ts'
import { withQuery } from '../../address/pattern.ts'
import { client } from '../../api/client.ts'
import type { FlowTexts } from '../../api/flow-texts.ts'
import { useResource } from '../../api/resource.ts'
import { Timeline } from '../../parts/display/timeline.tsx'
import { Loaded } from '../../parts/problems/problem.tsx'
import { VersionDiff } from './version-diff.tsx'

type FlowVersionsProps = { flow: FlowDefinition; onRestore: (texts: FlowTexts, version: number) => void }

/** The versions of a flow, with the changes of each, and a button to restore one. */
export function FlowVersions({ flow: { id, version: present }, onRestore }: FlowVersionsProps) {
  const versions = useResource(`flow ${id} versions ${present}`, (signal) =>
    client.flowDefinitions.versions(id, { signal }),
  )
  return (
    <Loaded resource={versions}>
      {({ data }) => {
        const wanted = Number(here.value.query.get('version') ?? present)
        const chosen = data.find(({ version }) => version === wanted) ?? data[0]
        if (!chosen) return null
        return (
          <div class="split wide history">
            <div>
              <p class="muted pad">
                The last 20 versions are kept. To restore an older one, put it into the editor and save it as the next
                version.
              </p>
              <Timeline label="Versions" moments={data.map((one) => momentOf(one, { chosen, present }))} />
            </div>
            <aside aria-label="What changed">
              <VersionDiff
                key={chosen.version}
                flow={id}
                version={chosen.version}
                kept={data.map(({ version }) => version)}
                onRestore={chosen.version === present ? null : onRestore}
              />
            </aside>
          </div>
        )
      }}
    </Loaded>
  )
}

type Kept = Versions['data'][number]

const momentOf = ({ version, createdAt }: Kept, { chosen, present }: { chosen: Kept; present: number }) =>
  ({
    to: withQuery(here.value, { version: String(version), with: null }),
    isChosen: version === chosen.version,
    tone: version === present ? 'good' : 'off',
    title: version === present ? `Version ${version}, current` : `Version ${version}`,
    at: createdAt,
  }) as const
