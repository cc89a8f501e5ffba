/** The value of the key: plain, or an sf-string in quotes (RFC 8941 section 3.3.3). */
export const idempotencyKeyOf = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined;
  return /^"(?:[^"\\]|\\["\\])*"$/.test(header)
    ? header.slice(1, -1).replace(/\\(["\\])/g, '$1')
    : header;
};
