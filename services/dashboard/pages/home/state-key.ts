/** The key with which `refresh` reads the problems of the account again. */
export const stateKey = 'state'
