import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../parts/controls/button.tsx'
import { Outline } from './picture/outline.tsx'
import { Picture } from './picture/picture.tsx'
import type { PictureProps } from './picture/picture-props.ts'

/** Whether the user prefers the outline on wide screens. */
const wantsOutline = signal(false)

type ViewsProps = {
  picture: PictureProps
  tools?: ComponentChildren
  /** Replaces the outline with another list of the drawing's content. */
  outline?: ComponentChildren
  /** Shown below the drawing, about the selection. */
  below?: ComponentChildren
}

/** A flow as a drawing, or as an outline with the same content. On a phone it is always the outline. */
export function Views({ picture, tools, outline, below }: ViewsProps) {
  const isNarrow = useNarrow()
  const asOutline = isNarrow || wantsOutline.value
  return (
    <>
      {(tools || !isNarrow) && (
        <div class="bar">
          {tools}
          <div class="grow" />
          {!isNarrow && (
            <Button kind="quiet" onPress={() => (wantsOutline.value = !asOutline)}>
              {asOutline ? 'Show drawing' : 'Show outline'}
            </Button>
          )}
        </div>
      )}
      {asOutline ? (outline ?? <Outline {...picture} />) : <Picture {...picture} />}
      {(!asOutline || !outline) && below}
      {picture.edits && !asOutline && (
        <p class="muted small pad keys-of">
          Arrow keys move, Enter goes to the text, A adds, C connects, R renames, Del deletes, Ctrl Z undoes. Drag a
          port to a node to connect it.
        </p>
      )}
    </>
  )
}

const narrow = '(max-width: 44rem)'

function useNarrow(): boolean {
  const [is, setIs] = useState(() => matchMedia(narrow).matches)
  useEffect(() => {
    const query = matchMedia(narrow)
    const look = () => setIs(query.matches)
    query.addEventListener('change', look)
    return () => query.removeEventListener('change', look)
  }, [])
  return is
}
