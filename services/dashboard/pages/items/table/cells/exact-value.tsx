import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { count } from '#services/dashboard/parts/display/text.tsx'
import type { Column } from '../columns.ts'
import type { ItemRow } from '../item-rows.ts'
import { valueAt } from './write-cell.ts'

type ExactValueProps = { row: ItemRow; column: Column; onEdit: () => void }

/** The exact value of the focused cell, for users who cannot hover over it. */
export function ExactValue({ row, column, onEdit }: ExactValueProps) {
  return (
    <div class="exact">
      <div role="status">
        <b>{column.label}</b> <code>{exactText(row, column)}</code>
      </div>
      {column.pointer !== undefined && (
        // The cell keeps the focus, so that this value stays visible while the button is pressed.
        <span onMouseDown={(event) => event.preventDefault()}>
          <Button kind="quiet" onPress={onEdit}>
            Edit
          </Button>
        </span>
      )}
    </div>
  )
}

const mostShown = 500

/** The value of a cell without formatting for the reader's language. */
export function exactText(row: ItemRow, { name, pointer }: Column): string {
  const text = pointer === undefined ? fieldText(row, name) : valueText(valueAt(row, pointer))
  return text.length > mostShown ? `${text.slice(0, mostShown)}…` : text
}

const valueText = (text: string | undefined) =>
  text === undefined ? 'no value' : text[0] === '"' ? (JSON.parse(text) as string) : text

function fieldText(row: ItemRow, name: string): string {
  if (name === 'size') return `${count(row.size)} bytes`
  if (name === 'tags') return row.tags.join(', ') || 'none'
  if (name === 'identity') return row.identity ? `${row.identity.displayName} (${row.identity.id})` : 'nobody'
  const value = name in row ? row[name as 'createdAt' | 'updatedAt' | 'version' | 'id' | 'description'] : ''
  return value || 'empty'
}
