import { useState } from 'preact/hooks'
import type { FlowDefinition } from '../../../../client/src/flow-resources.ts'
import { client } from '../../api/client.ts'
import { toListdError, useResource } from '../../api/resource.ts'
import { announce } from '../../parts/announce.tsx'
import { Button } from '../../parts/button.tsx'
import { Loaded, messageOf } from '../../parts/problem.tsx'
import { Table } from '../../parts/table.tsx'
import { At } from '../../parts/text.tsx'
import { type FlowTexts, textsOf } from './flow-texts.ts'

type FlowVersionsProps = { flow: FlowDefinition; onRestore: (texts: FlowTexts, version: number) => void }

/** The documents that a flow has had, and the way back to one of them. */
export function FlowVersions({ flow: { id, version: present }, onRestore }: FlowVersionsProps) {
  const versions = useResource(`flow ${id} versions ${present}`, (signal) =>
    client.flowDefinitions.versions(id, { signal }),
  )
  const [busy, setBusy] = useState<number>()
  const restore = async (version: number) => {
    setBusy(version)
    try {
      onRestore(textsOf(await client.flowDefinitions.version(id, version).text()), version)
    } catch (failure) {
      announce(messageOf(toListdError(failure)), { bad: true })
    }
    setBusy(undefined)
  }
  return (
    <Loaded resource={versions}>
      {({ data }) => (
        <>
          <p class="muted pad">The last 20 versions are kept. An older one is edited, checked and saved as the next.</p>
          <Table columns={['version', 'since', { figures: 'restore' }]}>
            <tbody>
              {data.map(({ version, createdAt }) => (
                <tr key={version}>
                  <td class="lead">Version {version}</td>
                  <td class="muted under">
                    <At at={createdAt} />
                  </td>
                  <td class="num when">
                    {version === present ? (
                      <span class="muted">the present one</span>
                    ) : (
                      <Button
                        kind="quiet"
                        busy={busy === version}
                        name={`Put version ${version} into the editor`}
                        onPress={() => restore(version)}
                      >
                        Put into the editor
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </Table>
        </>
      )}
    </Loaded>
  )
}
