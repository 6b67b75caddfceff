const isLate = Symbol('late')

/**
 * The result of the work; when it takes longer than `ms`, what `late` returns or throws. The work continues either way. Input that
 * arrived while this process could not run is handled before the work counts as late.
 */
export async function withTimeLimit<T, L>(work: Promise<T>, ms: number, late: () => L | Promise<L>): Promise<T | L> {
  const limit = Promise.withResolvers<typeof isLate>()
  const timer = setTimeout(() => setImmediate(limit.resolve, isLate), ms)
  try {
    const result = await Promise.race([work, limit.promise])
    return result === isLate ? late() : result
  } finally {
    clearTimeout(timer)
  }
}

/**
 * The result of work that proceeds in steps; when it takes no step for `ms` (twice that at most), what `late` returns or throws.
 * `steps` returns the number of steps done. As above, input that arrived is handled first.
 */
export async function withStepLimit<T, L>(
  work: Promise<T>,
  { ms, steps, late }: { ms: number; steps: () => number; late: () => L | Promise<L> },
): Promise<T | L> {
  const limit = Promise.withResolvers<typeof isLate>()
  let seen = steps()
  const check = () => {
    if (steps() === seen) limit.resolve(isLate)
    seen = steps()
  }
  const timer = setInterval(() => setImmediate(check), ms)
  try {
    const result = await Promise.race([work, limit.promise])
    return result === isLate ? late() : result
  } finally {
    clearInterval(timer)
  }
}

/** Whether the work succeeds within `ms`; it continues either way. */
export function succeedsWithin(work: Promise<unknown>, ms: number): Promise<boolean> {
  const succeeds = work.then(
    () => true,
    () => false,
  )
  return withTimeLimit(succeeds, ms, () => false)
}
