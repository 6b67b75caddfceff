import { useEffect, useState } from 'preact/hooks'
import { guardLeaving } from '../address/location.ts'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/** While it is on the page, nobody leaves it without a question: something is not saved. */
export function LeaveGuard({ what }: { what: string }) {
  const [leave, setLeave] = useState<{ run: () => void }>()
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', onUnload)
    const release = guardLeaving((run) => setLeave({ run }))
    return () => {
      removeEventListener('beforeunload', onUnload)
      release()
    }
  }, [])
  if (!leave) return null
  return (
    <Dialog title="Leave without saving?" onClose={() => setLeave(undefined)}>
      <div class="form">
        <p>{what} goes when you leave this page.</p>
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
