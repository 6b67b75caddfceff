/** The duration and number of measurements. */
export type Pace = {
  rounds: number
  /** The fraction of the full durations and amounts. */
  share: number
}

export const fullPace: Pace = { rounds: 3, share: 1 }
/** Shows that everything works; its figures mean little. */
export const quickPace: Pace = { rounds: 3, share: 0.2 }

/** Alternates subject, yardstick, subject, ..., so that changes on the machine affect both alike. */
export async function alternate<A, B>(
  rounds: number,
  { subject, yardstick }: { subject(): Promise<A>; yardstick(): Promise<B> },
): Promise<{ subject: A[]; yardstick: B[] }> {
  const results: { subject: A[]; yardstick: B[] } = { subject: [], yardstick: [] }
  for (let round = 0; round < rounds; round++) {
    results.subject.push(await subject())
    results.yardstick.push(await yardstick())
  }
  return results
}
