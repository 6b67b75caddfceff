/** The part of sodium-native that is used here. All arguments are Buffers: a string throws. */
declare module 'sodium-native' {
  const sodium: {
    crypto_pwhash_STRBYTES: number
    crypto_pwhash_str_async(out: Buffer, password: Buffer, operations: number, memoryBytes: number): Promise<void>
    crypto_pwhash_str_verify_async(stored: Buffer, password: Buffer): Promise<boolean>

    crypto_aead_xchacha20poly1305_ietf_ABYTES: number
    crypto_aead_xchacha20poly1305_ietf_KEYBYTES: number
    crypto_aead_xchacha20poly1305_ietf_NPUBBYTES: number
    crypto_aead_xchacha20poly1305_ietf_encrypt(
      cipher: Buffer,
      message: Buffer,
      additional: Buffer,
      secretNonce: null,
      nonce: Buffer,
      key: Buffer,
    ): number
    crypto_aead_xchacha20poly1305_ietf_decrypt(
      message: Buffer,
      secretNonce: null,
      cipher: Buffer,
      additional: Buffer,
      nonce: Buffer,
      key: Buffer,
    ): number
  }
  export = sodium
}
