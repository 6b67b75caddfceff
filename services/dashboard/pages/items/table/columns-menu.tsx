import { Button } from '#services/dashboard/parts/controls/button.tsx'
import { Switch } from '#services/dashboard/parts/controls/field.tsx'
import { Menu } from '#services/dashboard/parts/controls/menu.tsx'
import type { ItemsScope } from '../view/items-scope.ts'
import type { Column } from './columns.ts'

type ColumnsMenuProps = { scope: ItemsScope; columns: readonly Column[]; all: readonly Column[] }

/** Selects the columns of the table. They are in the address, in their order. */
export function ColumnsMenu({ scope: { view, show }, columns, all }: ColumnsMenuProps) {
  const names = columns.map(({ name }) => name)
  const others = columns.filter(({ name }) => !all.some((one) => one.name === name))
  const choose = (changed: readonly string[] | null) => show({ columns: changed, after: view.after }, true)
  return (
    <Menu label="Columns" name="Columns" icon="columns" kind="quiet">
      <div class="form">
        {[...others, ...all].map(({ name, label }) => (
          <Switch
            key={name}
            label={label}
            on={names.includes(name)}
            disabled={names.length === 1 && names[0] === name}
            onChange={(on) => choose(on ? placed(name, names, all) : names.filter((one) => one !== name))}
          />
        ))}
        <Button disabled={view.columns === null} onPress={() => choose(null)}>
          Choose for me
        </Button>
      </div>
    </Menu>
  )
}

/** Inserts an added column after the last shown column that precedes it in the menu. */
function placed(name: string, names: readonly string[], all: readonly Column[]): string[] {
  const order = all.map((column) => column.name)
  const before = order.slice(0, order.indexOf(name))
  const at = names.findLastIndex((one) => before.includes(one)) + 1
  return names.toSpliced(at, 0, name)
}
