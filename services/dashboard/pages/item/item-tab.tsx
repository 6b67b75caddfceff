import { Pill } from '../../parts/display/marks.tsx'
import type { ItemText } from './item-text.ts'

/** The props of an item's tabs. */
export type ItemTabProps = {
  list: string
  item: ItemText
  title: string
  alias: string | null
  /** The pointers of the values that are hidden from API tokens. */
  guarded: readonly string[]
}

/** The pointers of the values that are hidden from API tokens. */
export function Hidden({ guarded }: { guarded: readonly string[] }) {
  return (
    <span class="row wraps" title="Hidden from API tokens">
      {guarded.map((pointer) => (
        <Pill key={pointer} tone="warn" icon="lock" mono>
          {pointer}
        </Pill>
      ))}
    </span>
  )
}
