import { useEffect, useState } from 'preact/hooks'
import { guardLeaving } from '../../address/location.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'

type LeaveGuardProps = {
  /** What is not saved. */
  what: string
  /** The parameters of the query that say what is edited. */
  parameters?: readonly string[]
}

/** While it is on the page, nobody leaves it without a question: something is not saved. */
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
