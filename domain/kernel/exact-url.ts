/**
 * The URL that a text is, if every parser reads it alike: only characters of RFC 3986, and the host written as it is
 * connected to. The URL standard drops tabs and line ends, reads a backslash as a slash, and rewrites hosts (`0x7f.1`,
 * percent escapes, names that are not ASCII), so a text with one of these names another receiver to its reader.
 *
 * @returns null for any other text.
 */
export const exactUrl = (text: string): URL | null => {
  if (!RFC_3986.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const authority = AUTHORITY.exec(text)?.[1]?.toLowerCase();
  const host = url.port === '' ? [url.host, `${url.host}:443`, `${url.host}:80`] : [url.host];
  const user = authority?.lastIndexOf('@') ?? -1;
  return authority !== undefined && host.includes(authority.slice(user + 1)) ? url : null;
};

/** RFC 3986 section 2: reserved and unreserved characters, and percent escapes. */
const RFC_3986 = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
const AUTHORITY = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]+)/;
