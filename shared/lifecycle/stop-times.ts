/** How long work in progress (requests of clients, delivery attempts) may continue after the signal to stop. */
export const drainMs = 10_000
/** How long a service may take to end: after the drain it answers, writes and logs what it had to cut off. */
export const closeMs = 12_500
