type Running<Ready> = { ready: Ready; answer(question: never): unknown }

/**
 * The other end of `startProgram`: the first message is `init`, and its answer says that the program is ready. An error
 * ends the process, and with it the run.
 */
export function runProgram<Init, Ready = null>(start: (init: Init) => Promise<Running<Ready>>): void {
  let running: Running<Ready> | undefined
  process.on('message', async ({ question }: { question: unknown }) => {
    if (running) {
      process.send?.({ answer: await running.answer(question as never) })
      return
    }
    running = await start(question as Init)
    process.send?.({ answer: running.ready })
  })
  process.on('disconnect', () => process.exit(0))
}
