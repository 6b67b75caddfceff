import { client } from '../../api/client.ts'
import { useResource } from '../../api/resource.ts'
import { Pill } from '../../parts/marks.tsx'

const pollMs = 2_000

const words = {
  ready: { tone: 'good', text: 'built' },
  building: { tone: 'warn', text: 'is being built' },
  failed: { tone: 'bad', text: 'the build failed' },
} as const

/** How far the build of an index is, until it ends. */
export function BuildState({ list, index }: { list: string; index: string }) {
  const state = useResource(`indexes ${list} ${index}`, (signal) => client.list(list).indexes.get(index, { signal }), {
    everyMs: ({ buildStatus }) => (buildStatus === 'building' ? pollMs : null),
  })
  const { tone, text } = words[state.data?.buildStatus ?? 'building']
  return <Pill tone={tone}>{text}</Pill>
}
