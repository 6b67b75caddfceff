/** How long and how often things are measured. */
export type Pace = {
  rounds: number
  /** Share of the full durations and amounts. */
  share: number
}

export const fullPace: Pace = { rounds: 3, share: 1 }
/** To see that everything runs; its figures mean little. */
export const quickPace: Pace = { rounds: 3, share: 0.2 }

/** Measures in turn, so that what changes on the machine meanwhile changes both: subject, yardstick, subject, ... */
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
