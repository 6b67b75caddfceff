// Helpers for keys and sealed values that do not need the sealing code.

/** The messages for a missing master key. A new key cannot open values that another key has sealed. */
export const noMasterKey = {
  what: 'secrets.masterKey is not set',
  fix:
    'set LISTD_SECRETS_MASTER_KEY to the master key of this installation, or LISTD_SECRETS_MASTER_KEY_FILE to the file that ' +
    'holds it (with SQLite "listd start" creates it: master-key in the data directory). Only a new installation has none yet: ' +
    'create one with "openssl rand -base64 32", and keep a copy',
} as const

/** The most keys at once: two during a rotation, and some for backups of before. */
export const maxKeys = 8

/** The single keys in the text of a setting or file, apart by white space or commas. */
export function splitKeys(text: string): string[] {
  return text.trim().split(/[\s,]+/)
}

/** Whether a text has the form of a key: base64 or base64url of 32 bytes. */
export function isKeyText(text: string): boolean {
  return /^[\w+/-]{43}=?$/.test(text)
}

/** The id of the key that a value was sealed with: 8 hexadecimal digits, which reveal nothing of the key. */
export function keyIdOf(sealed: string): string {
  return sealed.split('.')[1] ?? ''
}
