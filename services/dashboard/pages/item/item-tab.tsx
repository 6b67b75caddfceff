import { Pill } from '../../parts/display/marks.tsx'
import type { ItemText } from './item-text.ts'

/** What the tabs of an item show it from. */
export type ItemTabProps = {
  list: string
  item: ItemText
  title: string
  alias: string | null
  /** Pointers of what API tokens do not see. */
  guarded: readonly string[]
}

/** Pointers of what API tokens do not see. */
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
