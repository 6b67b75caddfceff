/** Code that starts a run calls `refresh` with this key. */
export const runsKey = 'flow-runs'
