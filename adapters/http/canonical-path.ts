/**
 * The one spelling of a path under which a co-signed request is sealed: no escape of a character that needs none, the
 * others in capitals (RFC 3986 section 6.2.2), ids in lower case. A verifier compares it letter by letter.
 */
export const canonicalPath = (path: string): string =>
  path.replace(/%[0-9a-f]{2}/gi, plainOf).replace(UUID_SEGMENT, (id) => id.toLowerCase());

const plainOf = (escape: string): string => {
  const plain = String.fromCharCode(Number.parseInt(escape.slice(1), 16));
  return /[A-Za-z0-9._~-]/.test(plain) ? plain : escape.toUpperCase();
};

const UUID_SEGMENT = /(?<=\/)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\/|$)/gi;
