/** The prefix of the keys of builds that a plan has started. `refresh` with it reads them again. */
export const startedBuildKey = 'started build'
