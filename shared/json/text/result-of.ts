/** What work that yields between its steps comes to, without waiting between them. */
export function resultOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
