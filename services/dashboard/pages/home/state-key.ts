/** What is the matter in the account is read again by `refresh` with this key. */
export const stateKey = 'state'
