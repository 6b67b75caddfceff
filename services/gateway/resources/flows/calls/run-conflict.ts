import { Conflict } from '#shared/data/conflict.ts'
import type { FlowWrite } from '#shared/domain/flow/run/driver.ts'
import { AppError } from '#shared/errors.ts'
import type { ProofOfRead } from './writes.ts'

/** The item that others have changed or created in the meantime, by the name that the run uses for it, and the node that read or changed it. */
type ConflictPlace = { node: string; list: string; item: string }

/** A conflict on an item, with its place in the run if that is known. */
export class RunConflict extends Conflict {
  /** Null: the item is not known, for example because others were about to change it. */
  readonly place: ConflictPlace | null

  constructor({ change, proof }: Conflict, run: { writes: readonly FlowWrite[]; proofs: readonly ProofOfRead[] }) {
    super('item', change, proof)
    this.place = placeOf({ change, proof }, run)
  }
}

function placeOf(
  { change = -1, proof = -1 }: { change: number | undefined; proof: number | undefined },
  { writes, proofs }: { writes: readonly FlowWrite[]; proofs: readonly ProofOfRead[] },
): ConflictPlace | null {
  const read = proofs[proof]?.read
  if (read) return { node: read.node, list: read.list, item: read.ref }
  const write = writes[change]
  return write ? { node: write.node, list: write.list, item: write.itemId } : null
}

/** The error of a run that was not committed because of changes by others. Its caller sees the node; only the record names the item. */
export function conflictError(conflict: Conflict): FlowConflictError {
  return new FlowConflictError(conflict instanceof RunConflict ? conflict.place : null)
}

export class FlowConflictError extends AppError {
  readonly place: ConflictPlace | null

  constructor(place: ConflictPlace | null) {
    super('FLOW_CONFLICT', place ? { details: { node: place.node } } : {})
    this.place = place
  }

  /** The error as the record of the run has it. */
  get recorded(): { name: string; status: number; message: string; node: string } {
    const { name, status, message, place } = this
    if (!place) return { name, status, message, node: '' }
    const item = JSON.stringify(place.item.slice(0, 100).toWellFormed())
    return { name, status, message: `${message} It was the item ${item} of ${place.list}.`, node: place.node }
  }
}
