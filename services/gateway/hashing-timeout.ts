/** How long a request waits for a password to be hashed: the slowest hash behind the longest queue of them takes less. */
export const hashingTimeoutMs = 15_000
