/** Of WebCrypto what the verifier uses, with views as the domain writes their type: none of them is of shared memory. */
interface SubtleCrypto {
  importKey(
    format: 'raw',
    keyData: Uint8Array,
    algorithm: AlgorithmIdentifier | EcKeyImportParams,
    extractable: boolean,
    keyUsages: KeyUsage[],
  ): Promise<CryptoKey>;
  verify(
    algorithm: AlgorithmIdentifier | EcdsaParams,
    key: CryptoKey,
    signature: Uint8Array,
    data: Uint8Array,
  ): Promise<boolean>;
}
