/** Waits until something holds, looking often; after `withinMs` the test fails with the claim it waited for. */
export async function until(holds: () => Promise<boolean>, { withinMs = 15_000, what = 'it' } = {}): Promise<void> {
  const giveUpAt = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > giveUpAt) throw new Error(`Waited ${withinMs} ms in vain until ${what} held.`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
