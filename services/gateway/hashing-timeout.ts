/** How long a request waits for a password to be hashed: the slowest hash at the end of the longest queue takes less. */
export const hashingTimeoutMs = 15_000
