const utf8 = new TextEncoder();

/** The name that the runtime gives it differs; where it lies does not. */
export type CryptoKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;

export const bytesOf = (content: string | Uint8Array): Uint8Array<ArrayBuffer> =>
  typeof content === 'string' ? utf8.encode(content) : new Uint8Array(content);

export const sha256 = async (content: string | Uint8Array): Promise<Uint8Array<ArrayBuffer>> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytesOf(content)));

export const hexOf = (bytes: Uint8Array): string => {
  let text = '';
  for (const byte of bytes) text += byte.toString(16).padStart(2, '0');
  return text;
};

/** 128 bits of chance, in hex. Unlike crypto.randomUUID it is there in pages that came without TLS as well. */
export const randomHex = (): string => hexOf(crypto.getRandomValues(new Uint8Array(16)));
