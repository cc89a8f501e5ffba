/**
 * The URL that a text is, if every parser reads it alike: only characters of RFC 3986, and the host written as it is
 * connected to, and no dot segments. The URL standard drops tabs and line ends, reads a backslash as a slash, rewrites hosts
 * (`0x7f.1`, percent escapes, names that are not ASCII) and removes `/../`, also where its dots are escaped. A text with one of
 * these names another receiver to its reader.
 *
 * @returns null for any other text.
 */
export const exactUrl = (text: string): URL | null => {
  if (!RFC_3986.test(text) || !URL.canParse(text)) return null;
  const url = new URL(text);
  const [, said, path = ''] = PARTS.exec(text) ?? [];
  const authority = said?.toLowerCase();
  const host = url.port === '' ? [url.host, `${url.host}:443`, `${url.host}:80`] : [url.host];
  const user = authority?.lastIndexOf('@') ?? -1;
  const isHost = authority !== undefined && host.includes(authority.slice(user + 1));
  const isNamed = !EMPTY_LABEL.test(url.hostname) && (user === -1 || url.username !== '');
  return isHost && isNamed && url.pathname === (path === '' ? '/' : path) ? url : null;
};

/** RFC 3986 section 2: reserved and unreserved characters, and percent escapes. */
const RFC_3986 = /^(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/;
/** RFC 1035 section 2.3.1: only the root has no letters. */
const EMPTY_LABEL = /^\.|\.\./;
/** Its authority and its path. */
const PARTS = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/([^/?#]+)([^?#]*)/;
