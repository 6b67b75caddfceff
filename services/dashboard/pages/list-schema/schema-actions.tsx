import type { List } from '#client/src/types/resources.ts'
import { useAction } from '../../forms/use-saving.ts'
import { announce } from '../../parts/controls/announce.tsx'
import { Button } from '../../parts/controls/button.tsx'
import { countOf } from '../../parts/display/text.tsx'
import { inferFromItems } from './infer-from-items.ts'
import type { SchemaDraft } from './use-schema-draft.ts'

const begin = '{\n  "type": "object",\n  "properties": {}\n}'

/** Buttons that replace the text. */
export function SchemaActions({ list, draft }: { list: List; draft: SchemaDraft }) {
  const { busy, act } = useAction()
  const isEmpty = draft.text.trim() === ''
  const put = (text: string, said: string) => {
    const before = draft.text
    draft.edit(text)
    announce(said, { undo: () => draft.edit(before) })
  }
  const infer = () =>
    act(async () => {
      const { text, samples } = await inferFromItems(list.id)
      put(text, `This schema matches the ${countOf(samples, 'newest item')}. It is not saved yet.`)
    })
  return (
    <div class="bar">
      {isEmpty && (
        <Button icon="add" disabled={list.readonly} onPress={() => draft.edit(begin)}>
          Start a schema
        </Button>
      )}
      <Button disabled={list.readonly || list.itemCount === 0} busy={busy} onPress={infer}>
        Infer from items
      </Button>
      {!isEmpty && (
        <Button disabled={list.readonly} onPress={() => put('', 'An empty text means no schema. It is not saved yet.')}>
          Remove the schema
        </Button>
      )}
      {list.itemCount === 0 && <span class="muted small">There are no items to infer a schema from.</span>}
    </div>
  )
}
