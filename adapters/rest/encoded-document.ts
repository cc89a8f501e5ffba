import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseCoding, type ContentCoding } from '../http/content-coding.ts';
import type { Answer } from '../http/http-exchange.ts';

/** A large document that does not change while the process runs: made, and encoded, at most once. */
export class EncodedDocument {
  private text: Promise<Uint8Array> | null = null;
  private readonly encoded = new Map<ContentCoding, Promise<Uint8Array>>();

  /** @param make is run at the first request: an idle service need not hold the document. */
  constructor(private readonly make: () => string | Promise<string>) {}

  /** @throws NotaryError NOT_ACCEPTABLE where Accept-Encoding takes nothing that there is. */
  async answer(mediaType: string, acceptEncoding: string | undefined): Promise<Answer> {
    const coding = chooseCoding(acceptEncoding);
    const content = await this.in(coding);
    return {
      status: 200,
      headers: {
        ETag: etagOf(mediaType, coding, content),
        Vary: 'Accept, Accept-Encoding',
        ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
      },
      text: { mediaType, content },
    };
  }

  private in(coding: ContentCoding): Promise<Uint8Array> {
    let bytes = this.encoded.get(coding);
    if (!bytes) {
      bytes = this.plain().then(ENCODERS[coding]);
      this.encoded.set(coding, bytes);
    }
    return bytes;
  }

  private plain(): Promise<Uint8Array> {
    this.text ??= (async () => new TextEncoder().encode(await this.make()))();
    return this.text;
  }
}

/** In the thread pool of Node, so that other requests go on. */
const ENCODERS: {
  readonly [coding in ContentCoding]: (bytes: Uint8Array) => Uint8Array | Promise<Uint8Array>;
} = {
  identity: (bytes) => bytes,
  gzip: (bytes) => promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  br: (bytes) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
};

/** Strong: two representations of a document never share it (RFC 9110 section 8.8.1). */
const etagOf = (mediaType: string, coding: ContentCoding, content: Uint8Array): string => {
  const hash = createHash('sha256').update(`${mediaType} ${coding}\n`).update(content);
  return `"${hash.digest('base64url')}"`;
};
