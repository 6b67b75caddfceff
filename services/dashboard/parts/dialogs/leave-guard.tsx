import { useEffect, useState } from 'preact/hooks'
import { guardLeaving } from '../../address/location.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'

type LeaveGuardProps = {
  /** What is lost when the page is left. It begins a sentence. */
  what: string
  /** The query parameters that name what is edited. */
  parameters?: readonly string[]
}

/** Asks before a page with unsaved changes is left. */
export function LeaveGuard({ what, parameters = [] }: LeaveGuardProps) {
  const [leave, setLeave] = useState<{ run: () => void }>()
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    const release = guardLeaving({ ask: (run) => setLeave({ run }), parameters })
    return () => {
      removeEventListener('beforeunload', onUnload)
      release()
    }
  }, [])
  if (!leave) return null
  return (
    <Dialog title="Leave without saving?" onClose={() => setLeave(undefined)}>
      <div class="form">
        <p>{what} will be lost if you leave this page.</p>
        <div class="ends">
          <Button kind="bad" onPress={leave.run}>
            Discard and leave
          </Button>
          <Button kind="primary" onPress={() => setLeave(undefined)}>
            Stay
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
