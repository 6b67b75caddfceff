/** Builds that a plan has started are read again by `refresh` with this key. */
export const startedBuildKey = 'started build'
