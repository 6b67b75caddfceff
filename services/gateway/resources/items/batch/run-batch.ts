import { Conflict } from '#shared/data/conflict.ts'
import { RejectedChange } from '#shared/data/items/commit/rejected-change.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { AppError, validationFailed } from '#shared/errors.ts'
import { createTimeSlices } from '#shared/time/time-slices.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import { withList } from '../../lists/with-list.ts'
import type { ItemDeps } from '../context.ts'
import { assertActionAllowed, assertAliasesBuilt, assertVisibleList } from '../reading/load-item.ts'
import { changeItems } from '../writing/change-items.ts'
import { type Author, findCommitErrors, type ItemMutation, subjectOf, toChange } from '../writing/commit-item.ts'
import { computeCreation } from '../writing/create-item.ts'
import { assertMutationAllowed } from '../writing/decide-mutation.ts'
import { computeDeletion } from '../writing/delete-item.ts'
import { type AppliedChange, findRepeatedRequest } from '../writing/idempotent-request.ts'
import { markArrayIndexes } from '../writing/mark-array-indexes.ts'
import { assertChangeAllowed } from '../writing/modify-item.ts'
import { computeUpdate } from '../writing/update-item.ts'
import { writtenItem } from '../writing/written-item.ts'
import { atOperation, type BatchOperation, dryRunError } from './batch-body.ts'
import { createBatchBytes } from './batch-bytes.ts'
import { computePut, type NameItem } from './compute-put.ts'
import { findNamedItems, type Named, type NamedItems } from './named-items.ts'

type Batch = Author & {
  list: string
  operations: readonly BatchOperation[]
  /** The source text of the body. */
  text: string
  idempotencyKey: string | undefined
}

/** The items after the operations, or as they were deleted, in the order of the operations. `isRepeated`: the same request did this before. */
export type BatchResult = { config: ListConfig; results: AppliedChange[]; isRepeated: boolean }

/**
 * Runs the operations of a batch in one transaction, all or none (contract 2.2), each by the rules of the single write. All
 * start from the items as they were before the batch, so each item may be named once.
 * @throws the error of the first operation that has one, with its index in `details.operation`, and of a dry run all of them;
 *   IDEMPOTENCY_KEY_REUSED, PAYLOAD_TOO_LARGE, SERVICE_UNAVAILABLE
 */
export function runBatch(deps: ItemDeps, batch: Batch): Promise<BatchResult> {
  const { principal, operations, dryRun } = batch
  return withList(deps.lists, { accountId: principal.accountId, ref: batch.list }, async (found) => {
    const config = await assertVisible(found, batch)
    using once = await findRepeatedRequest(deps, config, { ...batch, content: () => ['batch', batch.text] })
    if (once.earlier) return { config, results: once.earlier, isRepeated: true }
    // One batch of an account runs at a time, so that the memory of batches is bounded.
    using _section = await deps.exclusive([`${principal.accountId}/batch`])
    let races = 0
    const results = await changeItems(deps, config, refsOf(operations), async (willChange) => {
      const { changes, results, positions, rejections } = await computeChanges(deps, config, { ...batch, willChange })
      const isRace = ({ name, change }: RejectedChange) =>
        name === 'ITEM_ALIAS_TAKEN' && operations[positions[change] ?? 0]?.op === 'put' && ++races < maxRaces
      const atPosition = (error: RejectedChange) => atOperation(positions[error.change] ?? 0, error)
      if (!dryRun) {
        await markArrayIndexes(deps, config, changes)
        await deps.committer.commitAll(changes, { key: once.key }).catch((error) => {
          if (!(error instanceof RejectedChange)) throw error
          throw isRace(error) ? new Conflict('item') : atPosition(error)
        })
        return results
      }
      rejections.push(...(await findCommitErrors(deps, config, changes)).map(atPosition))
      if (rejections.length > 0) throw dryRunError(rejections)
      return results
    })
    return { config, results, isRepeated: false }
  })
}

/** The most times that a batch is computed if an alias that it puts turns out to be in use: mostly by an item that the next attempt replaces. */
const maxRaces = 4

/**
 * A list that does not exist is the error of the first operation, and in a dry run of every operation: the answer is the same as for
 * a list in which the principal may do nothing.
 */
async function assertVisible(found: ListConfig | null, { principal, operations, dryRun }: Batch): Promise<ListConfig> {
  const rejections: AppError[] = []
  for (const [n, { op }] of operations.entries()) {
    try {
      const action = op === 'put' ? 'create' : op
      return await forOperation(n, () => assertVisibleList(found, { principal, action }))
    } catch (error) {
      if (!dryRun || !isOfOperation(error)) throw error
      rejections.push(error)
    }
  }
  throw dryRunError(rejections)
}

function refsOf(operations: readonly BatchOperation[]): string[] {
  return operations.flatMap((operation) => ('item' in operation ? [operation.item] : []))
}

function namedBy(operations: readonly BatchOperation[]): Named {
  const isPut = ({ op }: BatchOperation) => op === 'put'
  return {
    refs: refsOf(operations.filter((operation) => !isPut(operation))),
    aliases: refsOf(operations.filter(isPut)),
  }
}

function presentFor(operation: BatchOperation, { byRef, byAlias }: NamedItems): Item | null {
  if (!('item' in operation)) return null
  return (operation.op === 'put' ? byAlias : byRef).get(operation.item) ?? null
}

/** The changes, each with the position of its operation; for a dry run also the errors of the other operations. */
type Computed = { changes: ItemChange[]; results: AppliedChange[]; positions: number[]; rejections: AppError[] }

/** The number of operations whose items are read together: an item can have 1 MiB. */
const readTogether = 32

/**
 * Computes the changes one by one. Items that are read ahead are used only in the turn of their operation, so that an error
 * reveals nothing of an item that the principal may not see.
 */
async function computeChanges(
  deps: ItemDeps,
  config: ListConfig,
  batch: Batch & { willChange(id: string): void },
): Promise<Computed> {
  const { principal, requestId, operations, dryRun, willChange } = batch
  const pause = createTimeSlices()
  const named = new Set<string>()
  const computed: Computed = { changes: [], results: [], positions: [], rejections: [] }
  const bytes = createBatchBytes(config, principal)
  const name: NameItem = (item) => {
    const key = 'id' in item ? item.id : `alias ${item.alias}`
    if (named.size === named.add(key).size) throw namedTwice()
    if ('id' in item) willChange(item.id)
  }
  let items: NamedItems = { byRef: new Map(), byAlias: new Map() }
  for (const [n, operation] of operations.entries()) {
    if (n % readTogether === 0) {
      items = await findNamedItems(deps, config, namedBy(operations.slice(n, n + readTogether)))
    }
    const present = presentFor(operation, items)
    const mutation = await forOperation(n, async () => {
      const computed = await computeChange(deps, config, { principal, operation, present, name })
      await assertMutationAllowed(principal, config, computed)
      return computed
    }).catch((error) => {
      if (!dryRun || !isOfOperation(error)) throw error
      computed.rejections.push(error)
      return null
    })
    await pause()
    if (!mutation) continue
    bytes.add(mutation)
    computed.changes.push(toChange(deps, config, { ...mutation, principal, requestId }))
    computed.results.push({ op: appliedOp(mutation), ...writtenItem(principal, config, subjectOf(mutation)) })
    computed.positions.push(n)
  }
  return computed
}

type Computation = Pick<Author, 'principal'> & {
  operation: BatchOperation
  present: Item | null
  /** Receives the item once the principal is known to see it. @throws VALIDATION_FAILED when an earlier operation names it too */
  name: NameItem
}

async function computeChange(
  deps: ItemDeps,
  config: ListConfig,
  { operation, present, principal, name }: Computation,
): Promise<ItemMutation> {
  if (operation.op === 'create') return computeCreation(deps, config, { ...operation, principal })
  if (operation.op === 'put') return computePut(deps, config, { operation, present, principal, name })
  if (!present) await assertAliasesBuilt(deps, config, principal)
  const before = assertActionAllowed(present, config, { principal, action: operation.op })
  name(before)
  assertChangeAllowed(config, before, { principal })
  if (operation.op === 'delete') return computeDeletion(deps, before)
  return computeUpdate(deps, config, { ...operation, before, principal })
}

function appliedOp({ before, after }: ItemMutation): AppliedChange['op'] {
  if (!before) return 'create'
  return after ? 'update' : 'delete'
}

const isOfOperation = (error: unknown): error is AppError =>
  error instanceof AppError && error.details?.operation !== undefined

function namedTwice(): AppError {
  return validationFailed([{ path: 'item', message: 'names the same item as an earlier operation' }])
}

/** Runs work of an operation; an error for the client names the operation. */
async function forOperation<T>(n: number, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof AppError && error.status < 500 ? atOperation(n, error) : error
  }
}
