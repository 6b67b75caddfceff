import { route } from '#client/src/transport.ts'
import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { quoted } from '#services/dashboard/parts/copy-as/call-text.ts'
import { CopyAs } from '#services/dashboard/parts/copy-as/copy-as.tsx'
import { Key } from '#services/dashboard/parts/display/marks.tsx'
import { usePageKeys } from '#services/dashboard/parts/page/page-keys.ts'
import { compact } from '#shared/json/text/layout.ts'
import { syntaxFinding } from '../draft-check.ts'
import type { ItemDraft } from './use-item-draft.ts'

/** The actions for a draft: copy the request, discard, save. */
export function DraftActions({ list, id, draft }: { list: string; id: string; draft: ItemDraft }) {
  const { text, isChanged, busy, findings, save, discard } = draft
  usePageKeys([{ key: 'Ctrl s', what: 'Save', run: save }])
  return (
    <>
      {isChanged && <CopyAs call={() => saveCall(list, id, text)} />}
      <Button disabled={!isChanged || busy} onPress={discard}>
        Discard
      </Button>
      <Button kind="primary" busy={busy} disabled={!isChanged || findings.length > 0} onPress={save}>
        Save <Key>Ctrl S</Key>
      </Button>
    </>
  )
}

/** The request that stores a draft. */
function saveCall(list: string, id: string, text: string) {
  const data = syntaxFinding(text) ? text : compact(text)
  return {
    method: 'PUT',
    path: route`/lists/${list}/items/${id}`,
    body: `{"data":${data}}`,
    sdk: `listd.list(${quoted(list)}).update(${quoted(id)}, { data })`,
  } as const
}
