import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { chooseCoding, type ContentCoding } from '../http/content-coding.ts';
import type { Answer } from '../http/http-exchange.ts';

/** A large document that does not change while the process runs. It is encoded and hashed once for each coding. */
export class EncodedDocument {
  private readonly encoded = new Map<ContentCoding, Promise<Encoded>>();

  constructor(private readonly plain: Uint8Array) {}

  /** @throws NotaryError NOT_ACCEPTABLE where Accept-Encoding takes nothing that there is. */
  async answer(mediaType: string, acceptEncoding: string | undefined): Promise<Answer> {
    const coding = chooseCoding(acceptEncoding);
    const { content, digest } = await this.in(coding);
    return {
      status: 200,
      headers: {
        ETag: etagOf(mediaType, coding, digest),
        Vary: 'Accept, Accept-Encoding',
        ...(coding === 'identity' ? {} : { 'Content-Encoding': coding }),
      },
      text: { mediaType, content },
    };
  }

  private in(coding: ContentCoding): Promise<Encoded> {
    let encoded = this.encoded.get(coding);
    if (!encoded) {
      encoded = encodedIn(coding, this.plain);
      this.encoded.set(coding, encoded);
    }
    return encoded;
  }
}

interface Encoded {
  readonly content: Uint8Array;
  /** SHA-256 of the content, 32 bytes. */
  readonly digest: Uint8Array;
}

const encodedIn = async (coding: ContentCoding, plain: Uint8Array): Promise<Encoded> => {
  const content = await ENCODERS[coding](plain);
  return { content, digest: createHash('sha256').update(content).digest() };
};

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
const etagOf = (mediaType: string, coding: ContentCoding, digest: Uint8Array): string => {
  const hash = createHash('sha256').update(`${mediaType} ${coding}\n`).update(digest);
  return `"${hash.digest('base64url')}"`;
};
