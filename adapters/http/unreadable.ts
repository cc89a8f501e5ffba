import { NotaryError } from '../../domain/kernel/errors.ts';

/** What Node's parser says about bytes that are no request, or do not become one in time. */
export interface Unreadable extends NodeJS.ErrnoException {
  /** What arrived last. */
  readonly rawPacket?: Uint8Array;
  /** How many bytes of it were read. */
  readonly bytesParsed?: number;
}

/** Why bytes did not become a request, or the rest of one. @param inBody its head was read. */
export const unreadable = (cause: Unreadable, inBody: boolean): NotaryError => {
  switch (cause.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new NotaryError(
        'REQUEST_TIMEOUT',
        inBody
          ? 'The body did not arrive in time, which CONNECTION_TIMEOUT_MS limits for a whole request.'
          : 'The request did not arrive in time.',
      );
    case 'HPE_HEADER_OVERFLOW':
      return endsInRequestLine(cause)
        ? new NotaryError('URI_TOO_LONG', 'The URL of the request is longer than 16 KiB.')
        : new NotaryError(
            'HEADER_TOO_LARGE',
            'The header of the request is larger than 16 KiB, its first line included.',
          );
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new NotaryError('PAYLOAD_TOO_LARGE', 'The chunk extensions are larger than 16 KiB.');
    default:
      return inBody && cause.code === 'HPE_INVALID_EOF_STATE' ? cutShort() : malformed(inBody);
  }
};

const malformed = (inBody: boolean): NotaryError =>
  new NotaryError(
    'VALIDATION_ERROR',
    inBody
      ? 'The body is not framed as HTTP/1.1 says (RFC 9112 section 7.1).'
      : 'These bytes are not a whole HTTP/1.1 request.',
    { suggestion: 'Send one HTTP/1.1 request (RFC 9112), in plain text where TLS ends before.' },
  );

export const cutShort = (): NotaryError =>
  new NotaryError('VALIDATION_ERROR', 'The body ended before its announced length.');

/** Whether the parser stopped within the first line of a request, as far as what arrived last shows. */
const endsInRequestLine = ({ rawPacket, bytesParsed }: Unreadable): boolean => {
  const text = Buffer.from(rawPacket ?? []).toString('latin1', 0, bytesParsed);
  return /^[A-Z-]+ [^\r\n]*$/.test(text.slice(text.lastIndexOf('\r\n\r\n') + 1).trimStart());
};
