import { ShownOnce } from '../../parts/dialogs/shown-once.tsx'

/** A signing secret, to copy to the receiver. */
export function ShownSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title="The signing secret"
      what="The secret"
      value={secret}
      note="Give it to your receiver now. It is shown only once."
      onClose={onClose}
    />
  )
}
