/** `base` with one more reference token, escaped (RFC 6901 section 3). */
export const appendPointer = (base: string, token: string | number): string =>
  `${base}/${String(token).replaceAll('~', '~0').replaceAll('/', '~1')}`;
